/// What a participant may do with the messages.
package enum Access: String, Hashable, Sendable, CaseIterable {
  case read = "Read"
  case readWrite = "ReadWrite"
}

/// When a participant is notified; on the wire `true`, `false` or `"MentionsOnly"`.
package enum Notify: Hashable, Sendable, CaseIterable {
  case always
  case never
  case mentionsOnly
}

/// A user's place in a conversation, as it is kept.
package struct ParticipantRecord: Hashable, Sendable {
  package let user: UserID
  package var access: Access
  package var notify: Notify
  package let joinedAt: Timestamp
  /// The conversation's revision at which the user joined; orders those who joined in one millisecond.
  package let joinedRevision: Int64
  /// The newest message that counts as read; the revision of the join at first.
  ///
  /// Never moves back.
  package var readMarker: MessageNumber
  /// The time of that message, or of the join.
  package var readUntil: Timestamp
  /// Whether the user marked the conversation as unread.
  package var isMarkedUnread: Bool
  /// The conversation's revision at which this row last changed.
  package var revision: Int64

  /// Makes the place of a user who joins at a revision of the conversation.
  package init(user: UserID, access: Access = .readWrite, notify: Notify = .always, joinedAt: Timestamp, revision: Int64) {
    self.user = user
    self.access = access
    self.notify = notify
    self.joinedAt = joinedAt
    joinedRevision = revision
    readMarker = revision
    readUntil = joinedAt
    isMarkedUnread = false
    self.revision = revision
  }

  /// Restores a place from the store.
  package init(
    user: UserID, access: Access, notify: Notify, joinedAt: Timestamp, joinedRevision: Int64, readMarker: MessageNumber,
    readUntil: Timestamp, isMarkedUnread: Bool, revision: Int64
  ) {
    self.user = user
    self.access = access
    self.notify = notify
    self.joinedAt = joinedAt
    self.joinedRevision = joinedRevision
    self.readMarker = readMarker
    self.readUntil = readUntil
    self.isMarkedUnread = isMarkedUnread
    self.revision = revision
  }
}
