import JSON

/// Makes tokens with a secret: for `parley token`, and the gateway's own for guests.
package struct TokenSigner: Sendable {
  private let key: TokenKey
  private let issuer: String?
  private let audience: String?

  /// Makes a signer; only a secret signs.
  package init(key: TokenKey, issuer: String? = nil, audience: String? = nil) throws(TokenKeyError) {
    guard key.algorithm == .hs256 else { throw .cannotSign }
    self.key = key
    self.issuer = issuer
    self.audience = audience
  }

  /// A token that says this, unchecked: a verifier with another policy may refuse it.
  package func sign(_ claims: TokenClaims) throws(TokenKeyError) -> String {
    var writer = JSONWriter(capacity: 256)
    writer.beginObject()
    writer.field("sub", claims.user)
    writer.field("tokenType", claims.type.rawValue)
    writer.field("role", ifPresent: claims.role)
    writer.field("name", ifPresent: claims.name)
    writer.field("photoUrl", ifPresent: claims.photoUrl)
    writer.field("iat", ifPresent: claims.issuedAt)
    writer.field("exp", ifPresent: claims.expiresAt)
    writer.field("iss", ifPresent: issuer)
    writer.field("aud", ifPresent: audience)
    writer.endObject()
    return try key.sign(claims: writer.bytes)
  }
}
