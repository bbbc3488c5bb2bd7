import ChatModel
import TestSupport
import Testing

private let ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 7)

@Test func `records begin with their defaults`() {
  expectEqual([ann.role, ann.name, ann.snapshot.name, ann.snapshot.role], ["default", "Ann", "Ann", "default"], "a user")
  expectEqual([ann.changedAt, ann.revision], [7, 1], "at its creation")
  let place = ParticipantRecord(user: ann.id, joinedAt: 8, revision: 3)
  expectEqual([place.joinedAt, place.readUntil, place.readMarker, place.joinedRevision, place.revision], [8, 8, 3, 3, 3], "a place")
  expectEqual([place.access == .readWrite, place.notify == .always, place.isMarkedUnread], [true, true, false], "may write")
  let restored = ParticipantRecord(
    user: ann.id, access: .readWrite, notify: .always, joinedAt: 8, joinedRevision: 3, readMarker: 3, readUntil: 8, isMarkedUnread: false,
    revision: 3)
  expectEqual(restored, place, "as it is kept")
  let record = ConversationRecord(id: ConversationID(stored: "c"), type: .group, pair: nil, createdAt: 5)
  expectEqual([record.revision, record.clock], [0, 5], "a conversation")
}

@Test func `a deleted message keeps its place and nothing else`() {
  var message = MessageRecord(
    number: 4, revision: 4, type: .user, sender: ann.id, custom: CustomFields([("a", "1")]), createdAt: 9, editedAt: nil, referenced: 2,
    origin: .web, content: ContentBlock.plain("secret"), isDeleted: false,
    reactions: [ReactionCount(emoji: ReactionEmoji(stored: ":a:"), count: 1)])
  message.delete(at: 6)
  expectEqual([message.number, message.revision, message.createdAt], [4, 6, 9], "its place")
  expect(message.isDeleted && message.content.isEmpty && message.custom.isEmpty && message.reactions.isEmpty, "no body")
}

@Test func `snapshots show what their viewer may see`() {
  let room = ConversationID(stored: "c")
  var record = ConversationRecord(id: room, type: .group, pair: nil, createdAt: 5)
  record.subject = "Subject"
  var viewer = ParticipantRecord(user: ann.id, joinedAt: 8, revision: 3)
  func message(_ time: Timestamp) -> MessageSnapshot {
    let quote = ReferencedMessageSnapshot(
      id: MessageID(1, in: room), conversation: room, type: .user, sender: ann.snapshot, custom: CustomFields(), createdAt: 1,
      editedAt: nil,
      referencedMessageId: nil, origin: .web, content: ContentBlock.plain("quoted"))
    return MessageSnapshot(
      id: MessageID(2, in: room), conversation: room, type: .user, sender: ann.snapshot, custom: CustomFields(), createdAt: time,
      editedAt: nil,
      referencedMessage: quote, origin: .web, content: ContentBlock.plain("text"))
  }
  func snapshot(_ last: MessageSnapshot?, unread: Int) -> ConversationSnapshot {
    ConversationSnapshot(record: record, viewer: viewer, lastMessage: last, unreadMessageCount: unread, everyoneReadUntil: nil)
  }
  expectEqual(
    [snapshot(nil, unread: 0).activity, snapshot(message(6), unread: 0).activity, snapshot(message(9), unread: 0).activity],
    [8, 8, 9], "active since the join or the last message")
  expectEqual([0, 1].map { snapshot(nil, unread: $0).isUnread }, [false, true], "unread by count")
  viewer.isMarkedUnread = true
  expect(snapshot(nil, unread: 0).isUnread, "or by the mark")
  expectEqual([message(1).plaintext, message(1).referencedMessage?.plaintext], ["text", "quoted"], "texts")
  expectEqual(ParticipantSnapshot(user: ann.snapshot, record: viewer).joinedAt, 8, "a participant")
  expect(OnlineSnapshot(user: ann.snapshot, isConnected: true).isConnected, "online")
}
