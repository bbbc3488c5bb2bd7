/// Who wrote a message: a user, or the application.
package enum MessageType: String, Hashable, Sendable, CaseIterable {
  case user = "UserMessage"
  case system = "SystemMessage"
}

/// Which way a message came in.
package enum MessageOrigin: String, Hashable, Sendable, CaseIterable {
  case web
  case rest
  case `import`
  case bot
}

/// A message as it is kept.
///
/// A deleted one stays as a tombstone: without body, so that cursors and recovery still work.
package struct MessageRecord: Hashable, Sendable {
  package let number: MessageNumber
  /// The conversation's revision at which the message last changed; its number when it never did.
  package var revision: Int64
  package let type: MessageType
  /// The sender; nil exactly for system messages.
  package let sender: UserID?
  package var custom: CustomFields
  package let createdAt: Timestamp
  package var editedAt: Timestamp?
  /// The message that this one answers.
  package let referenced: MessageNumber?
  package let origin: MessageOrigin
  package var content: [ContentBlock]
  package var isDeleted: Bool
  /// How many reacted with what, in the order in which each emoji came first.
  package var reactions: [ReactionCount]
  /// The thread under the message; kept with the thread, and nil where there is none.
  package var thread: ThreadSummary?

  /// Makes a message, or restores one from the store.
  package init(
    number: MessageNumber, revision: Int64, type: MessageType, sender: UserID?, custom: CustomFields, createdAt: Timestamp,
    editedAt: Timestamp?, referenced: MessageNumber?, origin: MessageOrigin, content: [ContentBlock], isDeleted: Bool,
    reactions: [ReactionCount] = []
  ) {
    self.number = number
    self.revision = revision
    self.type = type
    self.sender = sender
    self.custom = custom
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.referenced = referenced
    self.origin = origin
    self.content = content
    self.isDeleted = isDeleted
    self.reactions = reactions
  }

  /// Takes the body away and leaves the tombstone.
  package mutating func delete(at revision: Int64) {
    self.revision = revision
    custom = CustomFields()
    content = []
    reactions = []
    thread = nil
    isDeleted = true
  }
}
