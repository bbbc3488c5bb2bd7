/// The bounds that a frame is read with.
package struct CallLimits: Hashable, Sendable {
  /// The most bytes of a message; beyond them the frame is refused unread.
  package var maxMessageBytes: Int
  /// Unicode scalars of a message's text.
  package var maxTextLength: Int
  /// Calls in one batch.
  package var maxBatch: Int
  /// Arrays and objects inside each other.
  package var maxDepth: Int

  /// Makes bounds.
  package init(maxMessageBytes: Int, maxTextLength: Int, maxBatch: Int, maxDepth: Int = 64) {
    self.maxMessageBytes = maxMessageBytes
    self.maxTextLength = maxTextLength
    self.maxBatch = maxBatch
    self.maxDepth = maxDepth
  }

  /// Messages that one `conversation.history` may ask for, and how many it gets when it does not say.
  package static let historyLimits = 1...100
  package static let defaultHistoryLimit = 30
  /// Entries that a list may be asked for at once, and how many come where nothing is said.
  package static let listLimits = 1...100
  package static let defaultListLimit = 100
  /// Characters of an address of a picture: what all browsers and proxies take.
  package static let maxURLLength = 2_000
  /// Characters of a language tag (RFC 5646 §4.4.1).
  package static let maxLocaleLength = 35
  /// Characters of a role's name.
  package static let maxRoleLength = 64
  /// Email addresses or telephone numbers of a user, and the characters of each (RFC 5321 §4.5.3.1.3 less the brackets).
  package static let maxAddresses = 10
  package static let maxAddressLength = 254
  /// Characters of a name in an error: what a client made up may be as long as its message.
  static let maxQuotedName = 64
}
