/// Why a key is not taken; found when the configuration is read.
package enum TokenKeyError: Error, Equatable, Sendable {
  /// A secret has fewer than 32 bytes (RFC 7518 §3.2: as many as the hash).
  case secretTooShort
  /// The text holds no public key in PEM ("BEGIN PUBLIC KEY").
  case notPEM
  /// The key is neither RSA nor EC, or the text holds a private one.
  case unsupportedKey
  /// An RSA key has fewer than 2048 or more than 8192 bits, or an exponent that protects nothing.
  case weakRSA
  /// An EC key is not on the curve P-256, or no point of it.
  case notP256
  /// The text is no JWK set (RFC 7517 §5), or names a member twice.
  case notJWKS
  /// A key of a JWK set is not taken: its place from 0, its `kid`, and why.
  indirect case jwk(index: Int, kid: String?, reason: JWKProblem)
  /// Only a secret signs.
  case cannotSign
  /// The library could not sign: no memory.
  case signingFailed

  /// What is wrong with one key of a JWK set.
  package enum JWKProblem: Error, Equatable, Sendable {
    /// `kty` or `crv` is not one of RSA and EC on P-256.
    case unsupportedType
    /// The key holds private or shared parts, which have no place in a file of public keys.
    case privateKey
    /// `alg` is not the algorithm of its type, or `use` is not `sig`.
    case otherUse
    /// A member is missing or has a value that it cannot have.
    case malformed
    /// The RSA key has too few or too many bits.
    case weak
  }

  /// The reason for people, without any part of a key.
  package var sentence: String {
    switch self {
    case .secretTooShort: "A token secret needs at least 32 bytes."
    case .notPEM: "The file holds no public key in PEM (BEGIN PUBLIC KEY)."
    case .unsupportedKey: "The key is neither an RSA nor an EC key."
    case .weakRSA: "The RSA key must have 2048 to 8192 bits and an odd exponent above 1."
    case .notP256: "The EC key is not on the curve P-256."
    case .notJWKS: "The file is not a JWK set."
    case .jwk(let index, let kid, let reason): "Key \(index) of the JWK set\(kid.map { " (kid \"\($0)\")" } ?? "") \(Self.phrase(reason))."
    case .cannotSign: "Only a secret can sign tokens."
    case .signingFailed: "The token could not be signed."
    }
  }

  private static func phrase(_ problem: JWKProblem) -> String {
    switch problem {
    case .unsupportedType: "is neither RSA nor EC on P-256"
    case .privateKey: "holds private parts"
    case .otherUse: "is meant for another use than RS256 or ES256 signatures"
    case .malformed: "has a member that is missing or wrong"
    case .weak: "must have 2048 to 8192 bits and an odd exponent above 1"
    }
  }
}
