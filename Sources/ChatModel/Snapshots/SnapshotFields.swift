// Snapshots from their fields, as a client reads them.

extension ConversationSnapshot {
  package init(
    id: ConversationID, type: ConversationType, subject: String?, photoUrl: String?, welcomeMessages: [String], custom: CustomFields,
    createdAt: Timestamp, joinedAt: Timestamp, access: Access, notify: Notify, lastMessage: MessageSnapshot?, unreadMessageCount: Int,
    isUnread: Bool, readUntil: Timestamp, everyoneReadUntil: Timestamp?, pinnedMessage: MessageSnapshot?
  ) {
    self.id = id
    self.type = type
    self.subject = subject
    self.photoUrl = photoUrl
    self.welcomeMessages = welcomeMessages
    self.custom = custom
    self.createdAt = createdAt
    self.joinedAt = joinedAt
    self.access = access
    self.notify = notify
    self.lastMessage = lastMessage
    self.unreadMessageCount = unreadMessageCount
    self.isUnread = isUnread
    self.readUntil = readUntil
    self.everyoneReadUntil = everyoneReadUntil
    self.pinnedMessage = pinnedMessage
  }
}

extension RestrictionSnapshot {
  package init(user: UserSnapshot, isBanned: Bool, isMuted: Bool, reason: String?, setBy: UserID, setAt: Timestamp) {
    self.user = user
    self.isBanned = isBanned
    self.isMuted = isMuted
    self.reason = reason
    self.setBy = setBy
    self.setAt = setAt
  }
}

extension ParticipantSnapshot {
  package init(user: UserSnapshot, access: Access, notify: Notify, joinedAt: Timestamp) {
    self.user = user
    self.access = access
    self.notify = notify
    self.joinedAt = joinedAt
  }
}
