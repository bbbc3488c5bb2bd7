/// A conversation as one of its participants sees it.
package struct ConversationSnapshot: Hashable, Sendable {
  package let id: ConversationID
  package let type: ConversationType
  package let subject: String?
  package let photoUrl: String?
  package let welcomeMessages: [String]
  package let custom: CustomFields
  package let createdAt: Timestamp
  /// When the viewer joined.
  package let joinedAt: Timestamp
  package let access: Access
  package let notify: Notify
  package var lastMessage: MessageSnapshot?
  /// Messages of others after the viewer's read marker: exact up to 1,000, then 1,000.
  package let unreadMessageCount: Int
  package let isUnread: Bool
  package let readUntil: Timestamp
  /// The lowest `readUntil` of all participants; nil where receipts are off.
  package let everyoneReadUntil: Timestamp?
  package var pinnedMessage: MessageSnapshot?

  /// What orders the list of conversations: the later of the join and the last message, milliseconds.
  package var activity: Timestamp { max(joinedAt, lastMessage?.createdAt ?? joinedAt) }

  package init(
    record: ConversationRecord, viewer: ParticipantRecord, lastMessage: MessageSnapshot?, unreadMessageCount: Int,
    everyoneReadUntil: Timestamp?, pinnedMessage: MessageSnapshot? = nil
  ) {
    id = record.id
    type = record.type
    subject = record.subject
    photoUrl = record.photoUrl
    welcomeMessages = record.welcomeMessages
    custom = record.custom
    createdAt = record.createdAt
    joinedAt = viewer.joinedAt
    access = viewer.access
    notify = viewer.notify
    self.lastMessage = lastMessage
    self.unreadMessageCount = unreadMessageCount
    isUnread = unreadMessageCount > 0 || viewer.isMarkedUnread
    readUntil = viewer.readUntil
    self.everyoneReadUntil = everyoneReadUntil
    self.pinnedMessage = pinnedMessage
  }
}

/// A user's place in a conversation, as the other participants see it.
package struct ParticipantSnapshot: Hashable, Sendable {
  package let user: UserSnapshot
  package let access: Access
  package let notify: Notify
  package let joinedAt: Timestamp

  package init(user: UserSnapshot, record: ParticipantRecord) {
    self.user = user
    access = record.access
    notify = record.notify
    joinedAt = record.joinedAt
  }
}

/// Who is typing, as one participant sees it: never the viewer.
package enum TypingSnapshot: Hashable, Sendable {
  /// At most `maxNamed` users, the one who has typed longest first.
  case few([UserSnapshot])
  case many

  /// The most users who are named.
  package static let maxNamed = 5
}
