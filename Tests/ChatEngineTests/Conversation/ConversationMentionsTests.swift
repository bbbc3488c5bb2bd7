import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

@Suite struct ConversationMentionsTests {
  private static func begun() -> ConversationFixture {
    var fixture = ConversationFixture()
    for user in ["ann", "bob"] { fixture.call(.join, by: user) }
    return fixture
  }

  private static func markup(_ text: String, key: String? = nil) -> ConversationOperation {
    .send(OutgoingMessage(content: Markup.content(of: text), clientMessageId: key))
  }

  @Test func `participants are mentioned by their names, strangers are text`() {
    var fixture = Self.begun()
    guard case .success(.sent(let sent?, false))? = fixture.call(Self.markup("Hi <@bob>, <@cy> and <@nobody>", key: "k"), by: "ann") else {
      return expect(false, "sent")
    }
    expectEqual(sent.plaintext, "Hi @BOB, <@cy> and <@nobody>", "the text")
    expectEqual(sent.content.mentions.map(\.text), ["bob"], "the mention")
    guard case .success(.sent(let again?, true))? = fixture.call(Self.markup("Hi <@bob>, <@cy> and <@nobody>", key: "k"), by: "ann") else {
      return expect(false, "a retry is the same request")
    }
    expectEqual(again, sent, "the same message")
    expectEqual(fixture.call(Self.markup("notice for <@bob>"), by: "backend", .app)?.outcome, "ok", "the application")
    guard case .success(.conversation(let seen?))? = fixture.call(.get, by: "bob") else { return expect(false, "get") }
    expectEqual(seen.lastMessage?.plaintext, "notice for @BOB", "names whom it likes")
  }

  @Test func `a new name is shown wherever the old one was, also of who left`() {
    var fixture = Self.begun()
    let list = fixture.subscribe(.messages, by: "ann")
    let conversation = fixture.subscribe(.conversation, by: "ann")
    fixture.call(Self.markup("*<@bob>*"), by: "ann")
    guard case .messages(let messages?, _)? = fixture.last(list), let mention = messages.first else { return expect(false, "shown") }
    fixture.send("a quote", by: "ann", answering: mention.id)
    fixture.rename("bob", to: "Robert")
    fixture.pass(200)
    expectEqual(fixture.texts(list), ["a quote", "@Robert"], "in the list")
    expectEqual(fixture.conversation(conversation)?.lastMessage?.referencedMessage?.plaintext, "@Robert", "in a quote")
    fixture.call(.deleteParticipant(UserID(stored: "bob")), by: "bob")
    fixture.rename("bob", to: "Bobby", revision: 3)
    fixture.pass(200)
    expectEqual(fixture.texts(list), ["a quote", "@Bobby"], "after leaving")

    let kept = MessageEdit(content: Markup.content(of: "<@bob> <@cy>"))
    guard case .success(.message(let edited?))? = fixture.call(.editMessage(mention.id, kept), by: "ann") else {
      return expect(false, "edited")
    }
    expectEqual(edited.plaintext, "@Bobby <@cy>", "whom the message named already")
    guard case .success(.sent(let fresh?, _))? = fixture.call(Self.markup("<@bob>"), by: "ann") else { return expect(false, "sent") }
    expectEqual(fresh.plaintext, "<@bob>", "not anew")
  }

  @Test func `names are read with the messages`() {
    var fixture = Self.begun()
    fixture.call(Self.markup("<@bob>"), by: "ann")
    fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
    let list = fixture.subscribe(.messages, by: "ann")
    expectEqual(fixture.texts(list), ["@BOB"], "a machine that knew nothing")
    fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
    guard case .success(.sent(let first?, _))? = fixture.call(Self.markup("<@bob>"), by: "ann") else { return expect(false, "sent") }
    expectEqual(first.plaintext, "@BOB", "at the first call")
  }

  @Test func `links and locations need a permission, and bad bodies name the place`() {
    var fixture = Self.begun()
    let link = [ContentBlock.text([.link(url: "https://a", [.plain("a")])])]
    let place = [ContentBlock.location(Location(latitude: 91, longitude: 0))]
    let good = [ContentBlock.location(Location(latitude: 9, longitude: 0))]
    var linking = Permissions()
    linking.links = true
    linking.locations = false
    let cases: [(String, [ContentBlock], Permissions, Caller.Kind, String)] = [
      ("a link", link, Permissions(), .user, "101 content[0].children[0]"), ("allowed", link, linking, .user, "ok"),
      ("by the application", link, Permissions(), .app, "ok"),
      ("a location", good, Permissions(), .user, "ok"), ("not allowed", good, linking, .user, "101 content[0]"),
      ("nowhere", place, Permissions(), .app, "-32602 content[0].latitude"),
    ]
    let message = fixture.send("a", by: "ann")
    for (name, content, permissions, kind, expected) in cases {
      expectEqual(fixture.call(.send(OutgoingMessage(content: content)), by: "ann", kind, permissions)?.outcome, expected, name)
      expectEqual(
        fixture.call(.editMessage(message, MessageEdit(content: content)), by: "ann", kind, permissions)?.outcome, expected,
        "\(name), an edit")
    }
  }
}
