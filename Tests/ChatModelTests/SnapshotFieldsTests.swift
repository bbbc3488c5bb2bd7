import ChatModel
import TestSupport
import Testing

@Suite struct SnapshotFieldsTests {
  @Test func `a snapshot of its fields equals one of records`() {
    let user = UserRecord(id: UserID(stored: "ada"), name: "Ada", createdAt: 1).snapshot
    var viewer = ParticipantRecord(user: user.id, access: .read, notify: .mentionsOnly, joinedAt: 2, revision: 3)
    viewer.isMarkedUnread = true
    expectEqual(
      ParticipantSnapshot(user: user, access: .read, notify: .mentionsOnly, joinedAt: 2), ParticipantSnapshot(user: user, record: viewer))
    var record = ConversationRecord(id: ConversationID(stored: "c"), type: .public, pair: nil, createdAt: 1)
    record.subject = "S"
    record.photoUrl = "https://x"
    record.welcomeMessages = ["hi"]
    record.custom = CustomFields([("k", "v")])
    let conversation = ConversationSnapshot(
      id: record.id, type: .public, subject: "S", photoUrl: "https://x", welcomeMessages: ["hi"], custom: record.custom, createdAt: 1,
      joinedAt: 2, access: .read, notify: .mentionsOnly, lastMessage: nil, unreadMessageCount: 0, isUnread: true, readUntil: 2,
      everyoneReadUntil: 1, pinnedMessage: nil)
    expectEqual(
      conversation,
      ConversationSnapshot(record: record, viewer: viewer, lastMessage: nil, unreadMessageCount: 0, everyoneReadUntil: 1))
    let restriction = RestrictionRecord(user: user.id, isBanned: true, isMuted: false, reason: "r", setBy: user.id, setAt: 5)
    expectEqual(
      RestrictionSnapshot(user: user, isBanned: true, isMuted: false, reason: "r", setBy: user.id, setAt: 5),
      RestrictionSnapshot(user: user, record: restriction))
    let message = MessageID(7, in: record.id)
    let report = ReportRecord(revision: 9, message: 7, sender: nil, text: "t", reporter: user.id, reason: "r", reportedAt: 6)
    expectEqual(
      ReportSnapshot(
        id: MessageID(9, in: record.id), conversation: record.id, message: message, sender: nil, text: "t", reporter: user, reason: "r",
        reportedAt: 6),
      ReportSnapshot(record: report, in: record.id, sender: nil, reporter: user))
    expectEqual(
      InvitationSnapshot(conversation: record.id, type: .public, subject: "S", photoUrl: "https://x", invitedBy: user, invitedAt: 3),
      InvitationSnapshot(record: record, invitedBy: user, invitedAt: 3))
    let invitation = InvitationRecord(user: user.id, invitedBy: user.id, invitedAt: 3)
    expectEqual(InviteeSnapshot(user: user, invitedBy: user.id, invitedAt: 3), InviteeSnapshot(user: user, record: invitation))
  }
}
