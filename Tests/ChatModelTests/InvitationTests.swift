import ChatModel
import TestSupport
import Testing

@Test func `reports and invitations show what was kept, and their sizes grow with it`() {
  let room = ConversationID(stored: "room")
  let ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1).snapshot
  func report(_ sender: UserSnapshot?, _ text: String) -> ReportSnapshot {
    let record = ReportRecord(revision: 9, message: 7, sender: sender?.id, text: text, reporter: ann.id, reason: "r", reportedAt: 5)
    return ReportSnapshot(record: record, in: room, sender: sender, reporter: ann)
  }
  let bare = report(nil, "")
  expectEqual([bare.id, bare.message], [MessageID(9, in: room), MessageID(7, in: room)], "ids")
  expect(bare.sender == nil && bare.reporter == ann && bare.reason == "r" && bare.reportedAt == 5 && bare.text.isEmpty, "\(bare)")
  expectEqual(report(ann, "ab").encodedSize, bare.encodedSize + ann.encodedSize + 2, "a sender and a text")
  expectEqual(ReportRange(limit: 3), ReportRange(before: nil, limit: 3), "from the newest")

  var record = ConversationRecord(id: room, type: .public, pair: nil, createdAt: 1)
  let plain = InvitationSnapshot(record: record, invitedBy: ann, invitedAt: 4)
  expect(plain.conversation == room && plain.type == .public && plain.invitedBy == ann && plain.invitedAt == 4, "\(plain)")
  record.subject = "S"
  record.photoUrl = "http://p"
  let full = InvitationSnapshot(record: record, invitedBy: ann, invitedAt: 4)
  expectEqual([full.subject, full.photoUrl], ["S", "http://p"], "what is shown")
  expectEqual(full.encodedSize, plain.encodedSize + 3 + 10, "a subject and a picture")
  let invitee = InviteeSnapshot(user: ann, record: InvitationRecord(user: ann.id, invitedBy: UserID(stored: "bob"), invitedAt: 4))
  expect(invitee.user == ann && invitee.invitedBy.text == "bob" && invitee.invitedAt == 4, "\(invitee)")
  expectEqual(invitee.encodedSize, 85 + ann.encodedSize, "its size")
}
