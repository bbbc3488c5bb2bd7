/// Why a token is refused.
package enum TokenRefusal: Error, Equatable, Sendable, CaseIterable {
  /// The token has more bytes than are read.
  case tooLong
  /// The token is not three parts of strict base64url with a JSON object in the first two.
  case malformed
  /// The header or the claims name a member twice.
  case duplicateMember
  /// The header has `crit` (RFC 7515 §4.1.11): it asks for something that is not understood here.
  case criticalHeader
  /// No configured key has the algorithm of the header; always so for `none`.
  case algorithmNotAllowed
  /// No configured key has the name of the header's `kid`.
  case unknownKey
  /// The signature is not that of a configured key.
  case badSignature
  /// `exp`, with the leeway, is over.
  case expired
  /// `nbf` or `iat`, with the leeway, is still to come.
  case notYetValid
  /// `exp` is required and missing.
  case missingExpiry
  /// `iss` is not the configured one.
  case wrongIssuer
  /// `aud` does not name the configured one.
  case wrongAudience
  /// There is no `sub`.
  case missingSubject
  /// `sub` is no string, is empty, too long, or has a prefix that is reserved.
  case badSubject
  /// `sub` begins as a guest's id does, in a token that is no guest's.
  case guestSubject
  /// `tokenType` is none that exists.
  case unknownTokenType
  /// The type of the token does not belong to the key: guests to the guest key, all others to the rest.
  case wrongKeyForType
  /// `role` is none that exists.
  case unknownRole
  /// A claim has a value of another type than its own.
  case badClaim

  /// The reason for people; it never holds any of the token.
  package var sentence: String {
    switch self {
    case .tooLong: "The token is too long."
    case .malformed: "The token is malformed."
    case .duplicateMember: "The token names a member twice."
    case .criticalHeader: "The token has a critical header."
    case .algorithmNotAllowed: "The token's algorithm is not allowed."
    case .unknownKey: "The token's key is not known."
    case .badSignature: "The token's signature is wrong."
    case .expired: "The token has expired."
    case .notYetValid: "The token is not valid yet."
    case .missingExpiry: "The token does not say when it expires."
    case .wrongIssuer: "The token's issuer is wrong."
    case .wrongAudience: "The token is meant for another audience."
    case .missingSubject: "The token names no user."
    case .badSubject: "The token's user is not a valid id."
    case .guestSubject: "The token names a guest."
    case .unknownTokenType: "The token's type is not known."
    case .wrongKeyForType: "The token's type does not belong to its key."
    case .unknownRole: "The token's role does not exist."
    case .badClaim: "A claim of the token has the wrong type."
    }
  }
}
