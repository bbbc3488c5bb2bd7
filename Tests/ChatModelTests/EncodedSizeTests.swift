import ChatModel
import TestSupport
import Testing

@Test func `sizes are reckoned as JSON, with what has to be escaped`() {
  for (text, size) in [("", 2), ("abc", 5), ("\"\\", 6), ("\u{1}\n", 14), ("é", 4), ("\u{1F600}", 6)] {
    expectEqual(text.encodedSize, size, "\(text.debugDescription)")
  }
  expectEqual(CustomFields([("a", "1"), ("b", "\u{1}")]).encodedSize, 2 + 3 + 3 + 2 + 3 + 8 + 2, "fields")
  let room = ConversationID(stored: "room")
  var ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1)
  let plain = ann.snapshot.encodedSize
  ann.photoUrl = "https://a"
  ann.locale = "en"
  ann.welcomeMessage = "hi"
  expectEqual(ann.snapshot.encodedSize, plain + 11 + 4 + 4, "a user")
  let quote = ReferencedMessageSnapshot(
    id: MessageID(1, in: room), conversation: room, type: .user, sender: ann.snapshot, custom: CustomFields(), createdAt: 1, editedAt: nil,
    referencedMessageId: nil, origin: .web, content: ContentBlock.plain("\u{1}"))
  func message(_ quoted: ReferencedMessageSnapshot?) -> MessageSnapshot {
    MessageSnapshot(
      id: MessageID(2, in: room), conversation: room, type: .user, sender: ann.snapshot, custom: CustomFields(), createdAt: 1,
      editedAt: nil, referencedMessage: quoted, origin: .web, content: ContentBlock.plain("abc"))
  }
  expectEqual(message(quote).encodedSize, message(nil).encodedSize + quote.encodedSize, "a message and its quote")
  var record = ConversationRecord(id: room, type: .group, pair: nil, createdAt: 1)
  let viewer = ParticipantRecord(user: ann.id, joinedAt: 1, revision: 1)
  func conversation(_ last: MessageSnapshot?) -> Int {
    ConversationSnapshot(record: record, viewer: viewer, lastMessage: last, unreadMessageCount: 0, everyoneReadUntil: nil).encodedSize
  }
  let bare = conversation(nil)
  record.subject = "S"
  record.photoUrl = "https://p"
  record.welcomeMessages = ["w"]
  expectEqual(conversation(message(nil)), bare + 3 + 11 + 4 + message(nil).encodedSize, "a conversation")
}
