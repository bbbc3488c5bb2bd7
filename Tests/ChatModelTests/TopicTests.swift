import ChatModel
import TestSupport
import Testing

@Test func `topics have kinds and snapshots may be null`() {
  let room = ConversationID(stored: "c")
  let user = UserID(stored: "u")
  let topics: [Topic] = [
    .conversation(room), .messages(room), .participants(room), .typing(room), .conversations(label: nil), .invitations, .user(user),
    .online(user),
  ]
  expectEqual(topics.map(\.kind), TopicKind.allCases, "the kinds of topics")
  let null: [TopicSnapshot] = [
    .conversation(nil), .messages(nil, loadedAll: true), .participants(nil, loadedAll: true), .typing(nil), .user(nil), .online(nil),
  ]
  for snapshot in null { expect(snapshot.isNull, "\(snapshot)") }
  let some: [TopicSnapshot] = [
    .messages([], loadedAll: true), .participants([], loadedAll: false), .typing(.many), .conversations([], loadedAll: true),
    .invitations([]),
    .user(UserRecord(id: user, name: "U", createdAt: 1).snapshot),
  ]
  for snapshot in some { expect(!snapshot.isNull, "\(snapshot)") }
}
