import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `markers move forward and show in all views`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  let ids = (1...4).map { fixture.send("m\($0)", by: "ann") }
  let own = fixture.subscribe(.conversation, by: "bob")
  let other = fixture.subscribe(.conversation, by: "ann")
  func state(_ fixture: ConversationFixture) -> [Int64?] {
    let conversation = fixture.conversation(own)
    return [conversation.map { Int64($0.unreadMessageCount) }, conversation.map { $0.isUnread ? 1 : 0 }, conversation?.readUntil]
  }
  expectEqual(state(fixture), [4, 1, 1_002], "unread since the join")
  fixture.call(.deleteMessage(ids[1]), by: "ann")
  let table: [(String, ConversationOperation, Int, [Int64?])] = [
    ("up to the second, a tombstone", .markAsRead(upTo: ids[1]), 1, [2, 1, 1_005]),
    ("up to the first: not back", .markAsRead(upTo: ids[0]), 0, [2, 1, 1_005]),
    ("marked as unread", .markAsUnread, 1, [2, 1, 1_005]),
    ("marked again", .markAsUnread, 0, [2, 1, 1_005]),
    ("up to the first: clears the mark", .markAsRead(upTo: ids[0]), 1, [2, 1, 1_005]),
    ("all", .markAsRead(upTo: nil), 1, [0, 0, 1_007]),
    ("all again", .markAsRead(upTo: nil), 0, [0, 0, 1_007]),
    ("marked as unread without unread ones", .markAsUnread, 1, [0, 1, 1_007]),
  ]
  for (name, operation, commits, expected) in table {
    fixture.clear()
    guard case .success(.conversation(let reply?))? = fixture.call(operation, by: "bob") else { return expect(false, name) }
    expectEqual(fixture.conversation(own), reply, name)
    expectEqual(state(fixture), expected, name)
    expectEqual(fixture.commits.count, commits, name)
  }
  expectEqual(fixture.call(.markAsRead(upTo: MessageID(1, in: fixture.id)), by: "bob")?.outcome, "104 upTo", "unknown")

  expectEqual(fixture.conversation(other)?.everyoneReadUntil, 1_003, "cy has not read")
  let count = fixture.shown[other]?.count
  fixture.call(.markAsRead(upTo: ids[0]), by: "cy")
  expectEqual(fixture.conversation(other)?.everyoneReadUntil, 1_004, "cy reads")
  expectEqual(fixture.shown[other]?.count, count.map { $0 + 1 }, "everybody is told when the lowest moves")
  fixture.call(.deleteParticipant(UserID(stored: "cy")), by: "cy")
  expectEqual(fixture.conversation(other)?.everyoneReadUntil, 1_007, "cy leaves")
  fixture.call(.markAsUnread, by: "bob")
  expectEqual(fixture.shown[other]?.count, count.map { $0 + 2 }, "what is bob's own concerns nobody else")
  guard case .success(.conversation(let outside?))? = fixture.call(.markAsRead(upTo: nil), by: "backend", .app) else {
    return expect(false, "the application")
  }
  expectEqual([outside.unreadMessageCount, outside.isUnread ? 1 : 0], [0, 0], "has no marker")
  expectEqual(fixture.call(.markAsUnread, by: "backend", .app)?.outcome, "ok", "nor a mark")
}
