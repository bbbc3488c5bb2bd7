/// What kind of conversation it is; fixed when it is made.
package enum ConversationType: String, Hashable, Sendable, CaseIterable {
  case direct
  case group
  case `public`
  case unknown
}

/// A conversation as it is kept, without its participants and messages.
package struct ConversationRecord: Hashable, Sendable {
  package let id: ConversationID
  package let type: ConversationType
  /// The two users of a direct conversation; nil for the other types.
  package let pair: DirectPair?
  package var subject: String?
  package var photoUrl: String?
  package var welcomeMessages: [String]
  package var custom: CustomFields
  /// The message that is pinned; nil where none is.
  package var pinned: MessageNumber?
  /// Messages of a thread that are not deleted; 0 in other conversations, which do not count theirs.
  package var replyCount = 0
  package let createdAt: Timestamp
  /// Grows by one with every change of the conversation, its participants or its messages; the position of recovery.
  package var revision: Int64
  /// The conversation's clock: no time in it lies behind this one.
  package var clock: Timestamp

  /// Makes a conversation before its first change, at a revision that no conversation of this id had before.
  ///
  /// The first revision is taken from the clock: one that was deleted and is made again must not give message ids a second time, and
  /// a conversation does not change once a millisecond for as long as it lives.
  package init(id: ConversationID, type: ConversationType, pair: DirectPair?, createdAt: Timestamp) {
    self.id = id
    self.type = type
    self.pair = pair
    self.createdAt = createdAt
    welcomeMessages = []
    custom = CustomFields()
    revision = max(0, createdAt &- Self.revisionEpoch)
    clock = createdAt
  }

  /// Where revisions are counted from: the beginning of 2026 in Unix milliseconds.
  private static let revisionEpoch: Timestamp = 1_767_225_600_000
}
