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
  package let createdAt: Timestamp
  /// Grows by one with every change of the conversation, its participants or its messages; the position of recovery.
  package var revision: Int64
  /// The conversation's clock: no time in it lies behind this one.
  package var clock: Timestamp

  /// Makes a conversation at revision 0, before its first change.
  package init(id: ConversationID, type: ConversationType, pair: DirectPair?, createdAt: Timestamp) {
    self.id = id
    self.type = type
    self.pair = pair
    self.createdAt = createdAt
    welcomeMessages = []
    custom = CustomFields()
    revision = 0
    clock = createdAt
  }
}
