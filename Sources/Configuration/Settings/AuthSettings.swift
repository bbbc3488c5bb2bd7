/// Who may log in, and how tokens are checked.
package struct AuthSettings: Sendable, Equatable {
  /// A signature algorithm of a token (RFC 7518 §3.1).
  package enum Algorithm: String, Sendable, CaseIterable {
    /// HMAC with SHA-256, by `secret`.
    case hs256 = "HS256"
    /// RSA with SHA-256, by a public key.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256, by a public key.
    case es256 = "ES256"
  }

  /// The shortest secret in bytes: the length of the hash (RFC 7518 §3.2).
  package static let minSecretBytes = 32

  /// Whether people without a token get in; absent: decided by `StartRule.letsGuestsIn`.
  package var guests: Bool?
  /// The key of HS256 tokens, the bytes of its UTF-8.
  package var secret: String?
  /// Public keys, each as PEM text or as the path of a PEM file.
  package var publicKeys: [String] = []
  /// The path of a JWKS file.
  package var jwks: String?
  /// What the claim `iss` must be, if anything.
  package var issuer: String?
  /// What the claim `aud` must hold, if anything.
  package var audience: String?
  /// The algorithms that are accepted; never taken from the token.
  package var algorithms = Algorithm.allCases
  /// Tokens without `exp` are refused.
  package var requireExpiry = true
  /// Tokens may stand in the address (`?token=`).
  package var queryToken = false

  /// Whether tokens of any kind can be checked.
  package var hasKey: Bool { secret != nil || hasPublicKey }

  /// Whether tokens signed by a key pair can be checked.
  package var hasPublicKey: Bool { !publicKeys.isEmpty || jwks != nil }
}
