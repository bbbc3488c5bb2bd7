@testable import ChatEngine
import ChatModel
import TestSupport
import Testing

private func begun(_ users: [String] = ["ann", "bob"]) -> ConversationFixture {
  var fixture = ConversationFixture()
  for user in users { fixture.call(.join, by: user) }
  return fixture
}

@Test func `what is sent is kept, shown and counted`() {
  var fixture = begun()
  fixture.call(.markAsUnread, by: "ann")
  fixture.clear()
  fixture.moment.wall = 500
  let custom = CustomFields([("a", "1")])
  let first = OutgoingMessage(content: ContentBlock.plain("hello"), custom: custom, clientMessageId: "k")
  guard case .success(.sent(let sent?, false))? = fixture.call(.send(first), by: "ann") else { return expect(false, "sent") }
  expectEqual([sent.plaintext, sent.sender?.name, sent.custom["a"]], ["hello", "ANN", "1"], "the message")
  expectEqual([sent.type == .user, sent.origin == .web, sent.editedAt == nil], [true, true, true], "a user's")
  expectEqual(sent.createdAt, 1_003, "the clock never goes back")
  expectEqual(sent.id.number, 4, "the number is the revision")

  let hash = RequestHash.of(first)
  guard let changes = fixture.commits.first?.changes, changes.count == 3 else { return expect(false, "three rows") }
  guard case .appendMessage(_, let row, let key) = changes[0], case .putParticipant(_, let place) = changes[1],
    case .putConversation(let record) = changes[2]
  else { return expect(false, "message, place, record") }
  expectEqual(key, SendKey(sender: UserID(stored: "ann"), clientMessageId: "k", requestHash: hash), "the key")
  expectEqual([row.number, row.revision, place.readMarker, place.revision, record.revision], [4, 4, 4, 4, 4], "one revision")
  expectEqual([place.readUntil, record.clock], [1_003, 1_003], "one time")
  expect(!place.isMarkedUnread, "own messages clear the mark")

  guard case .success(.conversation(let seen?))? = fixture.call(.get, by: "bob") else { return expect(false, "get") }
  expectEqual([seen.unreadMessageCount, seen.isUnread ? 1 : 0], [1, 1], "unread for the other")
  guard case .success(.conversation(let own?))? = fixture.call(.get, by: "ann") else { return expect(false, "get") }
  expectEqual([own.unreadMessageCount, own.isUnread ? 1 : 0], [0, 0], "but not for the sender")

  fixture.call(.text("notice"), by: "backend", .app)
  guard case .success(.conversation(let notified?))? = fixture.call(.get, by: "ann") else { return expect(false, "get") }
  expectEqual([notified.lastMessage?.type == .system, notified.lastMessage?.sender == nil], [true, true], "the application speaks")
  expectEqual(notified.unreadMessageCount, 1, "and counts as unread")
  fixture.call(.text("as ann"), by: "ann", .app)
  guard case .success(.conversation(let acted?))? = fixture.call(.get, by: "bob", .bot) else { return expect(false, "get") }
  expectEqual(
    [acted.lastMessage?.origin == .rest, acted.lastMessage?.sender?.name == "ANN"], [true, true], "the application acts for ann")
}

@Test func `what cannot be sent is refused`() {
  var fixture = begun()
  let message = fixture.send("first", by: "ann", key: "used")
  fixture.call(.text("notice"), by: "backend", .app)
  let notice = MessageID(message.number + 1, in: fixture.id)
  let deleted = fixture.send("deleted", by: "ann", key: "deleted")
  fixture.call(.deleteMessage(deleted), by: "ann")
  let tooMany = CustomFields((0...64).map { ("\($0)", "") })
  let table: [(String, ConversationOperation, String)] = [
    ("nothing", .send(OutgoingMessage(content: [])), "-32602 content"),
    ("white space", .text(" \n\u{2003}"), "-32602 text"),
    ("10,000 scalars", .text(String(repeating: "é", count: 10_000)), "ok"),
    ("10,001 scalars", .text(String(repeating: "é", count: 10_001)), "107 text"),
    ("40,001 bytes", .text(String(repeating: "x", count: 40_001)), "107 text"),
    ("custom", .send(OutgoingMessage(content: ContentBlock.plain("x"), custom: tooMany)), "107 custom"),
    ("a long key", .text("x", key: String(repeating: "k", count: 65)), "107 clientMessageId"),
    ("an answer", .text("x", answering: message), "ok"),
    ("an answer to nothing", .text("x", answering: MessageID(1, in: fixture.id)), "104 referencedMessage"),
    ("an answer to a tombstone", .text("x", answering: deleted), "104 referencedMessage"),
    ("an answer to a notice", .text("x", answering: notice), "-32602 referencedMessage"),
    ("a key again", .text("first", key: "used"), "ok"),
    ("a key for another text", .text("second", key: "used"), "106 clientMessageId"),
    ("a key for an empty text", .text("", key: "used"), "106 clientMessageId"),
    ("a key of a deleted message", .text("deleted", key: "deleted"), "ok"),
    ("another's key", .text("other", key: "other"), "ok"),
  ]
  for (name, operation, expected) in table {
    var copy = fixture
    expectEqual(copy.call(operation, by: "ann")?.outcome, expected, name)
  }
  expectEqual(fixture.call(.text("x", answering: message), by: "backend", .app)?.outcome, "-32602 referencedMessage", "notices answer none")
}

@Test func `a repeated send is the first one`() {
  var fixture = begun()
  fixture.mode = .waits
  let calls = [
    fixture.begin(.text("one", key: "k"), by: "ann"), fixture.begin(.text("one", key: "k"), by: "ann"),
    fixture.begin(.text("one", key: "k"), by: "bob"), fixture.begin(.text("two", key: "k"), by: "ann"),
  ]
  fixture.releaseAll()
  expectEqual(calls.map { fixture.replies[$0]?.outcome }, ["ok", "ok", "ok", "106 clientMessageId"], "in one batch")
  guard case .success(.sent(let first?, false))? = fixture.replies[calls[0]] else { return expect(false, "the first") }
  expectEqual(fixture.replies[calls[1]], .success(.sent(first, isDuplicate: true)), "the same message")
  expect(fixture.replies[calls[2]] != fixture.replies[calls[1]], "keys are the sender's own")

  // Another machine, as after a restart, asks the store.
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  expectEqual(fixture.call(.text("one", key: "k"), by: "ann"), .success(.sent(first, isDuplicate: true)), "after a restart")
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  fixture.call(.deleteMessage(first.id), by: "ann")
  expectEqual(fixture.call(.text("one", key: "k"), by: "ann"), .success(.sent(nil, isDuplicate: true)), "deleted since")
}

@Test func `history and single messages are read`() {
  var fixture = begun()
  let ids = (1...5).map { fixture.send("m\($0)", by: "ann") }
  let deleted = ids[2]
  fixture.call(.deleteMessage(deleted), by: "ann")
  let room = fixture.id
  let missing = MessageID(1, in: room)
  let bob = UserID(stored: "bob")
  let pages: [(String, HistoryRange, StoreQuery?, String)] = [
    ("newest", HistoryRange(start: .newest, limit: 2), .history(room, .newest, limit: 2, viewer: bob), ""),
    ("before", HistoryRange(start: .before(ids[4]), limit: 100), .history(room, .before(ids[4].number), limit: 100, viewer: bob), ""),
    (
      "after a tombstone", HistoryRange(start: .after(deleted), limit: 1), .history(room, .after(deleted.number), limit: 1, viewer: bob), ""
    ),
    ("before nothing", HistoryRange(start: .before(missing), limit: 1), nil, "104 before"),
    ("after nothing", HistoryRange(start: .after(missing), limit: 1), nil, "104 after"),
    ("no limit", HistoryRange(start: .newest, limit: 0), nil, "-32602 limit"),
    ("a high limit", HistoryRange(start: .newest, limit: 101), nil, "-32602 limit"),
  ]
  for (name, range, query, refusal) in pages {
    // As after a restart: the machine knows none of the messages.
    fixture.machine = ConversationMachine(id: room, settings: ChatSettings())
    let call = fixture.begin(.history(range), by: "bob")
    expectEqual(fixture.histories[call], query, name)
    expectEqual(fixture.replies[call]?.outcome ?? "", refusal, name)
  }
  let texts = [ids[0], deleted, missing, ids[4]].map { id -> String? in
    guard case .success(.message(let message))? = fixture.call(.getMessage(id), by: "bob") else { return "?" }
    return message?.plaintext
  }
  expectEqual(texts, ["m1", nil, nil, "m5"], "messages")
  expectEqual(fixture.call(.getMessage(ids[0]), by: "eve"), .success(.message(nil)), "not for strangers")
}
