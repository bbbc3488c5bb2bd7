/// An invitation, as the invited user sees it.
package struct InvitationSnapshot: Hashable, Sendable {
  package let conversation: ConversationID
  package let type: ConversationType
  package let subject: String?
  package let photoUrl: String?
  package let invitedBy: UserSnapshot
  package let invitedAt: Timestamp

  package init(record: ConversationRecord, invitedBy: UserSnapshot, invitedAt: Timestamp) {
    self.init(
      conversation: record.id, type: record.type, subject: record.subject, photoUrl: record.photoUrl, invitedBy: invitedBy,
      invitedAt: invitedAt)
  }

  /// Makes an invitation of its fields, as a client reads it.
  package init(
    conversation: ConversationID, type: ConversationType, subject: String?, photoUrl: String?, invitedBy: UserSnapshot, invitedAt: Timestamp
  ) {
    self.conversation = conversation
    self.type = type
    self.subject = subject
    self.photoUrl = photoUrl
    self.invitedBy = invitedBy
    self.invitedAt = invitedAt
  }

  /// The most bytes of the invitation as JSON.
  package var encodedSize: Int {
    160 + conversation.text.encodedSize + (subject?.encodedSize ?? 0) + (photoUrl?.encodedSize ?? 0) + invitedBy.encodedSize
  }
}

/// An invited user, as participants see them.
package struct InviteeSnapshot: Hashable, Sendable {
  package let user: UserSnapshot
  package let invitedBy: UserID
  package let invitedAt: Timestamp

  package init(user: UserSnapshot, record: InvitationRecord) {
    self.init(user: user, invitedBy: record.invitedBy, invitedAt: record.invitedAt)
  }

  /// Makes an invited user of the fields, as a client reads them.
  package init(user: UserSnapshot, invitedBy: UserID, invitedAt: Timestamp) {
    self.user = user
    self.invitedBy = invitedBy
    self.invitedAt = invitedAt
  }

  /// The most bytes of the invited user as JSON.
  package var encodedSize: Int { 80 + user.encodedSize + invitedBy.text.encodedSize }
}

/// What came of inviting one user.
package enum InvitedSnapshot: Hashable, Sendable {
  /// They take part already, and go on as they did.
  case participant(ParticipantSnapshot)
  /// They may join, with this access.
  case pending(UserSnapshot, Access)
}
