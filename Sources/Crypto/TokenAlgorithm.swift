/// A signature algorithm that tokens may have (RFC 7518 §3.1).
package enum TokenAlgorithm: String, Sendable, CaseIterable {
  /// HMAC with SHA-256 and a shared secret.
  case hs256 = "HS256"
  /// RSA PKCS #1 v1.5 with SHA-256.
  case rs256 = "RS256"
  /// ECDSA on P-256 with SHA-256.
  case es256 = "ES256"
}
