import ChatModel
import JSON

extension JSONWriter {
  /// Writes a conversation as its viewer sees it.
  mutating func conversation(_ conversation: ConversationSnapshot) {
    beginObject()
    field("id", conversation.id.text)
    field("type", conversation.type.rawValue)
    field("subject", conversation.subject)
    field("photoUrl", conversation.photoUrl)
    field("welcomeMessages", conversation.welcomeMessages)
    key("custom")
    custom(conversation.custom)
    field("createdAt", conversation.createdAt)
    field("joinedAt", conversation.joinedAt)
    field("access", conversation.access.rawValue)
    key("notify")
    notify(conversation.notify)
    key("lastMessage")
    optional(conversation.lastMessage) { $0.message($1) }
    field("unreadMessageCount", conversation.unreadMessageCount)
    field("isUnread", conversation.isUnread)
    field("readUntil", conversation.readUntil)
    field("everyoneReadUntil", conversation.everyoneReadUntil)
    key("pinnedMessage")
    optional(conversation.pinnedMessage) { $0.message($1) }
    key("threadOf")
    optional(ThreadRoot(of: conversation.id)) { $0.root($1) }
    endObject()
  }

  private mutating func root(_ root: ThreadRoot) {
    beginObject()
    field("conversation", root.conversation.text)
    field("message", root.message.text)
    endObject()
  }

  /// Writes a user's place in a conversation.
  mutating func participant(_ participant: ParticipantSnapshot) {
    beginObject()
    key("user")
    user(participant.user)
    field("access", participant.access.rawValue)
    key("notify")
    notify(participant.notify)
    field("joinedAt", participant.joinedAt)
    endObject()
  }

  /// Writes who is typing; `users` is `null` where they are too many to be named.
  mutating func typing(_ typing: TypingSnapshot) {
    beginObject()
    switch typing {
    case .few(let users):
      field("many", false)
      key("users")
      list(users) { $0.user($1) }
    case .many:
      field("many", true)
      key("users")
      null()
    }
    endObject()
  }

  /// Writes when a participant is notified.
  mutating func notify(_ notify: Notify) {
    switch notify {
    case .always: bool(true)
    case .never: bool(false)
    case .mentionsOnly: string("MentionsOnly")
    }
  }
}
