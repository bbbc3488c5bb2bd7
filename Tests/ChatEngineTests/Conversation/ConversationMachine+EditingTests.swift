import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `messages are edited and deleted wherever they are shown`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  let second = fixture.send("second", by: "bob", answering: first)
  let list = fixture.subscribe(.messages, by: "bob")
  let conversation = fixture.subscribe(.conversation, by: "bob")

  let edit = MessageEdit(content: ContentBlock.plain("edited"), custom: .merge([.init(key: "a", value: "1"), .init(key: "b", value: "2")]))
  guard case .success(.message(let edited?))? = fixture.call(.editMessage(first, edit), by: "ann") else { return expect(false, "edited") }
  expectEqual([edited.plaintext, edited.custom["a"]], ["edited", "1"], "content and custom")
  expectEqual(edited.editedAt, fixture.moment.wall, "the time of the edit")
  guard case .messages(let shown?, true)? = fixture.last(list), shown.count == 2 else { return expect(false, "two messages") }
  expectEqual(shown[1], edited, "the message itself")
  expectEqual(shown[0].referencedMessage?.plaintext, "edited", "as a quote")
  expectEqual(fixture.conversation(conversation)?.lastMessage?.referencedMessage?.plaintext, "edited", "as the last message's quote")

  guard case .success(.message(let same?))? = fixture.call(.editMessage(first, edit), by: "ann") else { return expect(false, "again") }
  expectEqual(same.editedAt, fixture.moment.wall, "every edit counts")
  let fields: [MessageField] = [.customKey("a")]
  guard case .success(.message(let less?))? = fixture.call(.deleteMessageFields(first, fields), by: "ann") else {
    return expect(false, "less")
  }
  expectEqual(less.custom.entries.map(\.key), ["b"], "one key less")
  guard case .success(.message(let none?))? = fixture.call(.deleteMessageFields(first, [.custom]), by: "ann") else {
    return expect(false, "none")
  }
  expect(none.custom.isEmpty, "no key left")

  for (name, edit, expected) in [
    ("white space", MessageEdit(content: ContentBlock.plain(" ")), "-32602 text"),
    ("nothing", MessageEdit(), "-32602 text"),
    ("long", MessageEdit(content: ContentBlock.plain(String(repeating: "x", count: 10_001))), "107 text"),
    ("custom", MessageEdit(custom: .merge((0...64).map { .init(key: "\($0)", value: "") })), "107 custom"),
    ("cleared", MessageEdit(custom: .clear), "ok"),
  ] { expectEqual(fixture.call(.editMessage(first, edit), by: "ann")?.outcome, expected, name) }

  fixture.call(.deleteMessage(first), by: "ann")
  expectEqual(fixture.texts(list), ["second"], "deleted")
  expectEqual(fixture.conversation(conversation)?.lastMessage?.referencedMessage, nil, "a deleted quote is none")
  fixture.call(.deleteMessage(second), by: "bob")
  expectEqual(fixture.texts(list), [], "nothing left")
  expectEqual(fixture.conversation(conversation)?.lastMessage, nil, "no last message")
}

@Test func `the last message is the one before a deleted one`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let ids = (1...6).map { fixture.send("m\($0)", by: "ann") }
  // As after a restart, when only the newest message is in memory.
  fixture.machine = .init(id: fixture.id, settings: ChatSettings())
  let conversation = fixture.subscribe(.conversation, by: "bob")
  expectEqual(fixture.conversation(conversation)?.unreadMessageCount, 6, "all unread")
  fixture.mode = .waits
  for id in [ids[5], ids[4], ids[2]] { fixture.begin(.deleteMessage(id), by: "ann") }
  fixture.releaseAll()
  expectEqual(fixture.conversation(conversation)?.lastMessage?.plaintext, "m4", "the newest that is left")
  expectEqual(fixture.conversation(conversation)?.unreadMessageCount, 3, "fewer unread")
  let seen = fixture.shown[conversation]?.map { snapshot -> String? in
    guard case .conversation(let shown?) = snapshot else { return nil }
    return shown.lastMessage?.plaintext
  }
  expectEqual(seen, ["m6", "m4"], "at every moment: what a deletion uncovers is asked for beforehand")
  expectEqual(fixture.call(.deleteMessage(ids[5]), by: "ann")?.outcome, "ok", "deleted already")
  expectEqual(fixture.call(.editMessage(ids[5], .init(custom: .clear)), by: "ann")?.outcome, "104 message", "not to be edited")
}

@Test func `what memory knows only as another's quote is shown with its own`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  let second = fixture.send("second", by: "bob", answering: first)
  fixture.send("third", by: "ann", answering: second)
  let operations: [(ConversationOperation, String)] = [
    (.getMessage(second), "bob"), (.editMessage(second, MessageEdit(content: ContentBlock.plain("changed"))), "bob"),
    (.deleteMessageFields(second, [.custom]), "bob"),
  ]
  for (operation, user) in operations {
    // As after a restart, when the newest message is in memory with what it answers.
    fixture.machine = .init(id: fixture.id, settings: ChatSettings())
    guard case .success(.message(let shown?))? = fixture.call(operation, by: user) else { return expect(false, "\(operation)") }
    expectEqual(shown.referencedMessage?.plaintext, "first", "\(operation)")
  }
}
