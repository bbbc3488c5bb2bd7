import ChatModel
import JSON

extension JSONWriter {
  /// Writes a message with its sender and what it answers.
  mutating func message(_ message: MessageSnapshot) {
    beginObject()
    field("id", message.id.text)
    field("conversation", message.conversation.text)
    field("type", message.type.rawValue)
    key("sender")
    optional(message.sender) { $0.user($1) }
    key("custom")
    custom(message.custom)
    field("createdAt", message.createdAt)
    field("editedAt", message.editedAt)
    key("referencedMessage")
    optional(message.referencedMessage) { $0.referencedMessage($1) }
    field("origin", message.origin.rawValue)
    body(message.content, message.plaintext)
    reactions(message.reactions)
    key("thread")
    optional(message.thread) { $0.thread($1) }
    endObject()
  }

  private mutating func thread(_ thread: ThreadSnapshot) {
    beginObject()
    field("conversation", thread.conversation.text)
    field("replyCount", thread.replyCount)
    field("lastReplyAt", thread.lastReplyAt)
    endObject()
  }

  /// Writes a message that another one answers: an id in place of what it answered itself.
  mutating func referencedMessage(_ message: ReferencedMessageSnapshot) {
    beginObject()
    field("id", message.id.text)
    field("conversation", message.conversation.text)
    field("type", message.type.rawValue)
    key("sender")
    optional(message.sender) { $0.user($1) }
    key("custom")
    custom(message.custom)
    field("createdAt", message.createdAt)
    field("editedAt", message.editedAt)
    field("referencedMessageId", message.referencedMessageId?.text)
    field("origin", message.origin.rawValue)
    body(message.content, message.plaintext)
    reactions(message.reactions)
    endObject()
  }

  private mutating func body(_ content: [ContentBlock], _ plaintext: String) {
    field("plaintext", plaintext)
    key("content")
    list(content) { $0.block($1) }
  }

  private mutating func reactions(_ reactions: [ReactionSnapshot]) {
    key("reactions")
    list(reactions) { writer, reaction in
      writer.beginObject()
      writer.field("emoji", reaction.emoji.text)
      writer.field("count", reaction.count)
      writer.field("currentUserReacted", reaction.currentUserReacted)
      writer.endObject()
    }
  }
}
