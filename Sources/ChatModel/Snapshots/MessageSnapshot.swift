/// A message as a participant sees it, with its sender as they are now.
package struct MessageSnapshot: Hashable, Sendable {
  package let id: MessageID
  package let conversation: ConversationID
  package let type: MessageType
  /// Nil exactly for system messages.
  package var sender: UserSnapshot?
  package let custom: CustomFields
  package let createdAt: Timestamp
  package let editedAt: Timestamp?
  /// Nil when the message answers none, or when what it answered was deleted.
  package var referencedMessage: ReferencedMessageSnapshot?
  package let origin: MessageOrigin
  /// Nil while nobody replied.
  package var thread: ThreadSnapshot?
  package var content: [ContentBlock]
  /// As the viewer sees them, in the order in which each emoji came first.
  package var reactions: [ReactionSnapshot]

  /// The body without markup.
  package var plaintext: String { content.plaintext }

  package init(
    id: MessageID, conversation: ConversationID, type: MessageType, sender: UserSnapshot?, custom: CustomFields, createdAt: Timestamp,
    editedAt: Timestamp?, referencedMessage: ReferencedMessageSnapshot?, origin: MessageOrigin, content: [ContentBlock],
    reactions: [ReactionSnapshot] = []
  ) {
    self.id = id
    self.conversation = conversation
    self.type = type
    self.sender = sender
    self.custom = custom
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.referencedMessage = referencedMessage
    self.origin = origin
    self.content = content
    self.reactions = reactions
  }
}

/// A message that another one answers: one level, with an id in place of what it answered itself.
package struct ReferencedMessageSnapshot: Hashable, Sendable {
  package let id: MessageID
  package let conversation: ConversationID
  package let type: MessageType
  package var sender: UserSnapshot?
  package let custom: CustomFields
  package let createdAt: Timestamp
  package let editedAt: Timestamp?
  package let referencedMessageId: MessageID?
  package let origin: MessageOrigin
  package var content: [ContentBlock]
  /// As the viewer sees them, in the order in which each emoji came first.
  package var reactions: [ReactionSnapshot]

  /// The body without markup.
  package var plaintext: String { content.plaintext }

  package init(
    id: MessageID, conversation: ConversationID, type: MessageType, sender: UserSnapshot?, custom: CustomFields, createdAt: Timestamp,
    editedAt: Timestamp?, referencedMessageId: MessageID?, origin: MessageOrigin, content: [ContentBlock],
    reactions: [ReactionSnapshot] = []
  ) {
    self.id = id
    self.conversation = conversation
    self.type = type
    self.sender = sender
    self.custom = custom
    self.createdAt = createdAt
    self.editedAt = editedAt
    self.referencedMessageId = referencedMessageId
    self.origin = origin
    self.content = content
    self.reactions = reactions
  }
}
