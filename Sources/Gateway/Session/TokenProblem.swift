import Crypto
import Observability

/// Why a token does not open or refresh a session.
struct TokenProblem: Error {
  /// How it is counted.
  let reason: SessionCounts.Refusal
  /// What the client is told; holds none of the token.
  let sentence: String

  init(reason: SessionCounts.Refusal, sentence: String) {
    self.reason = reason
    self.sentence = sentence
  }

  init(_ refusal: TokenRefusal) {
    sentence = refusal.sentence
    reason =
      switch refusal {
      case .tooLong, .malformed, .duplicateMember, .criticalHeader: .malformed
      case .algorithmNotAllowed, .unknownKey, .badSignature, .wrongKeyForType: .signature
      case .expired: .expired
      case .notYetValid: .notYetValid
      case .missingExpiry, .wrongIssuer, .wrongAudience, .missingSubject, .badSubject, .guestSubject, .unknownTokenType, .unknownRole,
        .badClaim:
        .claims
      }
  }
}
