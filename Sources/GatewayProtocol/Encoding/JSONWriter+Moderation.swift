import ChatModel
import JSON

extension JSONWriter {
  /// Writes what is forbidden a user.
  mutating func restriction(_ restriction: RestrictionSnapshot) {
    beginObject()
    key("user")
    user(restriction.user)
    field("ban", restriction.isBanned)
    field("mute", restriction.isMuted)
    field("reason", restriction.reason)
    field("setBy", restriction.setBy.text)
    field("setAt", restriction.setAt)
    endObject()
  }

  /// Writes a complaint about a message.
  mutating func report(_ report: ReportSnapshot) {
    beginObject()
    field("id", report.id.text)
    field("conversation", report.conversation.text)
    field("message", report.message.text)
    key("sender")
    optional(report.sender) { $0.user($1) }
    field("text", report.text)
    key("reporter")
    user(report.reporter)
    field("reason", report.reason)
    field("reportedAt", report.reportedAt)
    endObject()
  }

  /// Writes a participant, or who may become one: then the time of joining is `null`.
  mutating func invited(_ invited: InvitedSnapshot) {
    switch invited {
    case .participant(let participant): self.participant(participant)
    case .pending(let user, let access):
      beginObject()
      key("user")
      self.user(user)
      field("access", access.rawValue)
      field("notify", true)
      key("joinedAt")
      null()
      endObject()
    }
  }

  /// Writes who is invited, for participants.
  mutating func invitee(_ invitee: InviteeSnapshot) {
    beginObject()
    key("user")
    user(invitee.user)
    field("invitedBy", invitee.invitedBy.text)
    field("invitedAt", invitee.invitedAt)
    endObject()
  }

  /// Writes an invitation, for the invited.
  mutating func invitation(_ invitation: InvitationSnapshot) {
    beginObject()
    field("conversation", invitation.conversation.text)
    field("type", invitation.type.rawValue)
    field("subject", invitation.subject)
    field("photoUrl", invitation.photoUrl)
    key("invitedBy")
    user(invitation.invitedBy)
    field("invitedAt", invitation.invitedAt)
    endObject()
  }
}
