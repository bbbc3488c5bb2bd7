import JSON

/// Decides whether a token is taken, and what it says.
package struct TokenVerifier: Sendable {
  /// The longest token that is read, in bytes.
  package static let maxBytes = 8192

  private let keys: [TokenKey]
  private let guestKey: TokenKey?
  private let policy: TokenPolicy

  /// Makes a verifier for the configured keys and the key of the gateway's own guest tokens.
  package init(keys: [TokenKey], guestKey: TokenKey?, policy: TokenPolicy) {
    self.keys = keys
    self.guestKey = guestKey
    self.policy = policy
  }

  /// Checks a token at a time in Unix seconds and gives its claims.
  ///
  /// The header is read strictly before the library sees the token, and only says which of the keys to try; each key has one algorithm.
  package func verify(_ token: String, now seconds: Int64) throws(TokenRefusal) -> TokenClaims {
    guard token.utf8.count <= Self.maxBytes else { throw .tooLong }
    guard let parser = JSONParser(maxBytes: Self.maxBytes, maxDepth: 32) else { throw .malformed }
    let parts = token.utf8.split(separator: 0x2E, maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count == 3, let head = Base64URL.decode(parts[0]) else { throw .malformed }
    guard let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]) else { throw .malformed }
    let header = try TokenHeader(head, parser)
    let candidates = try candidates(for: header)
    guard Self.fits(signature, header.algorithm) else { throw .badSignature }
    guard let key = candidates.first(where: { $0.verify(token) == payload }) else { throw .badSignature }
    let decoder = TokenClaimsDecoder(policy: policy, isGuestKey: key === guestKey, now: seconds)
    return try decoder.decode(payload, parser)
  }

  private func candidates(for header: TokenHeader) throws(TokenRefusal) -> [TokenKey] {
    let allowed = (keys + (guestKey.map { [$0] } ?? [])).filter { $0.algorithm == header.algorithm }
    guard !allowed.isEmpty else { throw .algorithmNotAllowed }
    guard let kid = header.kid else { return allowed }
    // A key without a name may be the one that is meant.
    let named = allowed.filter { $0.kid == nil || $0.kid.map { $0.utf8.elementsEqual(kid.utf8) } == true }
    guard !named.isEmpty else { throw .unknownKey }
    return named
  }

  /// Whether a signature has the one length of its algorithm (RFC 7518 §3.2, §3.4); cjose takes others for ES256.
  private static func fits(_ signature: [UInt8], _ algorithm: TokenAlgorithm) -> Bool {
    switch algorithm {
    case .hs256: signature.count == 32
    case .es256: signature.count == 64
    // As long as the modulus, which OpenSSL checks.
    case .rs256: !signature.isEmpty
    }
  }
}
