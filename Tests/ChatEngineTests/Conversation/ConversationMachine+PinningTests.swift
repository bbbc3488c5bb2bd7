import ChatEngine
import ChatModel
import TestSupport
import Testing

private let like = ReactionEmoji(stored: "\u{1F44D}")

@Test func `the pinned message is shown as it is, wherever it stands`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "bob")
  let second = fixture.send("second", by: "ann", answering: first)
  for number in 0..<100 { fixture.send("m\(number)", by: "ann") }
  fixture.moment.listUsers = [UserID(stored: "ann")]
  for isRestarted in [false, true] {
    // As after a restart, when it is not among the newest messages.
    if isRestarted { fixture.machine = .init(id: fixture.id, settings: ChatSettings()) }
    let room = fixture.subscribe(.conversation, by: "bob")
    expectEqual(fixture.call(.pin(second), by: "ann")?.outcome, "ok", "pinned")
    let texts = isRestarted ? ["edited false", "edited false"] : ["second", "first"]
    expectEqual(fixture.conversation(room)?.pinnedMessage?.plaintext, texts[0], "shown")
    expectEqual(fixture.conversation(room)?.pinnedMessage?.referencedMessage?.plaintext, texts[1], "with what it answers")
    fixture.clear()
    expectEqual(fixture.call(.pin(second), by: "bob")?.outcome, "ok", "again")
    expectEqual(fixture.commits.count, 0, "which changes nothing")
    for number in 0..<100 { fixture.send("n\(number)", by: "ann") }
    if isRestarted { fixture.machine = .init(id: fixture.id, settings: ChatSettings()) }
    let again = isRestarted ? fixture.subscribe(.conversation, by: "bob") : room

    let text = "edited \(isRestarted)"
    fixture.call(.editMessage(second, MessageEdit(content: ContentBlock.plain(text))), by: "ann")
    expectEqual(fixture.conversation(again)?.pinnedMessage?.plaintext, text, "an edit")
    fixture.call(.editMessage(first, MessageEdit(content: ContentBlock.plain(text))), by: "bob")
    expectEqual(fixture.conversation(again)?.pinnedMessage?.referencedMessage?.plaintext, text, "an edit of what it answers")
    fixture.call(isRestarted ? .removeReaction(second, like) : .addReaction(second, like), by: "bob")
    let liked = isRestarted ? [] : [ReactionSnapshot(emoji: like, count: 1, currentUserReacted: true)]
    expectEqual(fixture.conversation(again)?.pinnedMessage?.reactions, liked, "a reaction")
    fixture.rename("ann", to: text, revision: isRestarted ? 3 : 2)
    fixture.pass(100)
    expectEqual(fixture.conversation(again)?.pinnedMessage?.sender?.name, text, "a new name")
    expectEqual(fixture.lists[UserID(stored: "ann")]?.last??.pinnedMessage?.plaintext, text, "in the list")
    guard !isRestarted else { continue }
    expectEqual(fixture.call(.unpin, by: "bob")?.outcome, "ok", "unpinned")
    expectEqual(fixture.conversation(again)?.pinnedMessage, nil, "none")
    fixture.unsubscribe(again)
  }
  let room = fixture.subscribe(.conversation, by: "bob")
  fixture.call(.deleteMessage(first), by: "bob")
  expectEqual(fixture.conversation(room)?.pinnedMessage?.referencedMessage, nil, "a deleted quote is none")
  fixture.call(.deleteMessage(second), by: "ann")
  expect(fixture.conversation(room) != nil && fixture.conversation(room)?.pinnedMessage == nil, "nothing is pinned behind a delete")
  expectEqual(fixture.call(.pin(second), by: "ann")?.outcome, "104 message", "nor can it be pinned")
  let third = fixture.send("third", by: "ann")
  fixture.call(.pin(third), by: "ann")
  expectEqual(fixture.conversation(room)?.pinnedMessage, fixture.conversation(room)?.lastMessage, "the last message")
}

@Test func `pinning needs what changing the conversation does`() {
  var settings = ChatSettings()
  settings.syncConversations = false
  var manager = Permissions()
  manager.manageConversations = true
  for isSynced in [true, false] {
    var fixture = ConversationFixture(settings: isSynced ? ChatSettings() : settings)
    fixture.call(.join, by: "ann", .app)
    for user in ["bob", "cy"] { fixture.call(.createParticipant(UserID(stored: user), ParticipantPatch()), by: "ann", .app) }
    fixture.call(.setParticipant(UserID(stored: "cy"), ParticipantPatch(access: .set(.read))), by: "ann", .app)
    let first = fixture.send("first", by: "ann")
    for operation in [ConversationOperation.pin(first), .unpin] {
      let outcomes = [
        fixture.call(operation, by: "bob"), fixture.call(operation, by: "bob", .user, manager), fixture.call(operation, by: "cy"),
        fixture.call(operation, by: "cy", .user, manager), fixture.call(operation, by: "eve", .user, manager),
        fixture.call(operation, by: "eve"), fixture.call(operation, by: "backend", .app),
      ].map { $0?.outcome }
      expectEqual(outcomes, [isSynced ? "ok" : "105", "ok", "103", "ok", "ok", "102", "ok"], "\(operation), sync: \(isSynced)")
    }
  }
}
