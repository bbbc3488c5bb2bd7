@_spi(_Unicode) import Swift

/// Why a text cannot be the id of a user or a conversation (`docs/protocol.md`, Methods).
package enum IdentifierViolation: Error, Equatable, Sendable, CaseIterable {
  case empty
  case tooLong
  case notNormalized
  case forbiddenCharacter
  case spaceAtEnd

  /// What is wrong and what would be right, for people.
  package var sentence: String {
    switch self {
    case .empty: "must not be empty"
    case .tooLong: "must have at most \(Identifier.maxScalars) characters"
    case .notNormalized: "must be in Unicode normalization form C"
    case .forbiddenCharacter: "must not contain , / \\ * : or a control character or a line separator"
    case .spaceAtEnd: "must not begin or end with a space"
    }
  }
}

/// The rule that user and conversation ids share.
package enum Identifier {
  /// The longest id, in Unicode scalars.
  package static let maxScalars = 92

  /// Checks one id; returns nothing when it is good.
  package static func check(_ text: String, maxScalars: Int = maxScalars) throws(IdentifierViolation) {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { throw .empty }
    // A scalar has at most four bytes: a longer text need not be counted scalar by scalar.
    guard text.utf8.count <= maxScalars * 4, text.unicodeScalars.count <= maxScalars else { throw .tooLong }
    var isASCII = true
    for scalar in text.unicodeScalars {
      if scalar.isASCII ? isForbiddenASCII(scalar) : isForbidden(scalar) { throw .forbiddenCharacter }
      if !scalar.isASCII { isASCII = false }
    }
    if first.properties.isWhitespace || last.properties.isWhitespace { throw .spaceAtEnd }
    // Ids are compared as bytes: two spellings of one name would be two users who look alike.
    if !isASCII, !isNormalized(text) { throw .notNormalized }
  }

  /// Whether a text is in Unicode normalization form C.
  static func isNormalized(_ text: String) -> Bool { text.unicodeScalars.elementsEqual(text._nfc) }

  private static func isForbiddenASCII(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case ",", "/", "\\", "*", ":", "\u{7F}": true
    default: scalar.value < 0x20
    }
  }

  private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: true
    default: false
    }
  }
}

/// The id of a user: chosen by the application, or `guest-…` made by the server.
package struct UserID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The id as it stands on the wire.
  package let text: String

  /// Takes an id that keeps the rule of `Identifier`.
  package init(_ text: String) throws(IdentifierViolation) {
    try Identifier.check(text)
    self.text = text
  }

  /// Takes an id that was checked before it was stored.
  package init(stored text: String) { self.text = text }

  /// The prefix of ids that the server makes for guests.
  package static let guestPrefix = "guest-"

  /// Whether the server made this id for a guest.
  package var isGuest: Bool { text.utf8.starts(with: Self.guestPrefix.utf8) }

  package var description: String { text }

  package static func < (left: UserID, right: UserID) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }
}

/// The id of a conversation: chosen by the application or made by the server.
package struct ConversationID: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The id as it stands on the wire.
  package let text: String

  /// Takes an id that keeps the rule of `Identifier`; that of a thread is longer by what stands around its conversation's.
  package init(_ text: String) throws(IdentifierViolation) {
    let isThread = text.utf8.starts(with: ThreadRoot.prefix.utf8)
    try Identifier.check(text, maxScalars: isThread ? ThreadRoot.maxScalars : Identifier.maxScalars)
    self.text = text
  }

  /// Takes an id that was checked before it was stored.
  package init(stored text: String) { self.text = text }

  /// The prefixes that only the server gives.
  package static let reservedPrefixes = ["direct.", "guest-", ThreadRoot.prefix]

  /// Whether only the server may create a conversation with this id.
  package var isReserved: Bool { Self.reservedPrefixes.contains { text.utf8.starts(with: $0.utf8) } }

  package var description: String { text }

  package static func < (left: ConversationID, right: ConversationID) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}
