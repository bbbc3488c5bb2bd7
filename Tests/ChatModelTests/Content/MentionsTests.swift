import ChatModel
import TestSupport
import Testing

private let ann = UserID(stored: "ann")
private let bob = UserID(stored: "bob")

private func message(_ text: String, by sender: UserID? = ann) -> MessageRecord {
  MessageRecord(
    number: 1, revision: 1, type: sender == nil ? .system : .user, sender: sender, custom: CustomFields(), createdAt: 1, editedAt: nil,
    referenced: nil, origin: .web,
    content: Markup.content(of: text), isDeleted: false)
}

/// A mention in each kind of node that has children.
private func everywhere(_ user: UserID, _ text: String) -> [ContentBlock] {
  let mention = [TextNode.mention(user, text: text)]
  let action = TextNode.Action(kind: .link, name: "x", params: CustomFields())
  let unknown = UnknownNode(type: "x", text: nil, children: mention, members: [])
  return [
    .text([
      .plain("a"), .styled(.bold, mention), .link(url: "https://x", mention), .action(action, mention), .unknown(unknown),
      .literal(.emoji, "👍"), .codeBlock("c", language: nil),
      .autoLink(url: "https://y", text: "y"), .unknown(UnknownNode(type: "y", text: "z", children: nil, members: [])),
    ]),
    .location(Location(latitude: 1, longitude: 2)),
  ]
}

@Test func `mentions are found wherever they stand`() {
  let cases: [(text: String, users: [UserID])] = [("a", []), ("*a*", []), ("<@bob> *<@ann>* <@bob>", [bob, ann]), ("- <@ann>", [ann])]
  for (text, users) in cases { expectEqual(Markup.content(of: text).mentions, users, text) }
  expectEqual(everywhere(ann, "").mentions, [ann], "every kind")
  let content = Markup.content(of: "<@ann>")
  expectEqual([content.mentions(ann), content.mentions(bob), ContentBlock.plain("ann").mentions(ann)], [true, false, false], "one user")
}

@Test func `a mention shows the name as it is`() {
  let name = { (user: UserID) in user.text.uppercased() }
  expectEqual(everywhere(ann, "").naming(name), everywhere(ann, "@ANN"), "every kind")
  expectEqual(everywhere(ann, "@ANN").renaming(ann, to: "Ann"), everywhere(ann, "@Ann"), "a new name")
  expectEqual(everywhere(ann, "@ANN").renaming(bob, to: "Bob"), everywhere(ann, "@ANN"), "another's name")
  expectEqual(ContentBlock.plain("a").naming(name), ContentBlock.plain("a"), "none")
  expectEqual(Markup.content(of: "Hi <@ann>!").naming(name).plaintext, "Hi @ANN!", "in the text")
}

@Test func `who may not be mentioned is text`() {
  let content = Markup.content(of: "a <@ann> *<@bob>* b <@bob>")
  expectEqual(brief(content.mentioning { $0 == ann }), "a [mention:ann] [bold <@bob>] b <@bob>", "one")
  expectEqual(content.mentioning { _ in true }, content, "all")
  expectEqual(
    Markup.content(of: "<@ann>, *<@bob>*").mentioning { _ in false }, [.text([.plain("<@ann>, "), .styled(.bold, [.plain("<@bob>")])])],
    "none")
}

@Test func `a message shows its sender and whom it mentions`() {
  expectEqual(
    [message("a").people, message("<@bob>").people, message("a", by: nil).people, message("<@bob>", by: nil).people],
    [[ann], [ann, bob], [], [bob]], "people")
  expectEqual([message("a").shows(ann), message("a").shows(bob), message("<@bob>").shows(bob)], [true, false, true], "shows")
}

@Test func `who wants to be told of a message`() {
  func wanted(_ notify: Notify, _ message: MessageRecord) -> Bool {
    ParticipantRecord(user: bob, notify: notify, joinedAt: 1, revision: 1).wants(message)
  }
  var deleted = message("<@bob>")
  deleted.delete(at: 2)
  let cases: [(String, MessageRecord, [Bool])] = [
    ("a message", message("a"), [true, false, false]), ("a mention", message("*<@bob>*"), [true, false, true]),
    ("another's mention", message("<@ann>"), [true, false, false]),
    ("an own one", message("<@bob>", by: bob), [false, false, false]),
    ("the application's", message("<@bob>", by: nil), [false, false, false]), ("a deleted one", deleted, [false, false, false]),
  ]
  for (name, message, expected) in cases {
    expectEqual([Notify.always, .never, .mentionsOnly].map { wanted($0, message) }, expected, name)
  }
}
