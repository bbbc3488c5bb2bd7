/// That a user is invited to a conversation and has not joined, as it is kept.
package struct InvitationRecord: Hashable, Sendable {
  package let user: UserID
  package let invitedBy: UserID
  package let invitedAt: Timestamp

  /// Makes an invitation.
  package init(user: UserID, invitedBy: UserID, invitedAt: Timestamp) {
    self.user = user
    self.invitedBy = invitedBy
    self.invitedAt = invitedAt
  }
}
