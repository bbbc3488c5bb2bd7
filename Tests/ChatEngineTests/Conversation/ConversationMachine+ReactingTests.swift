import ChatEngine
import ChatModel
import TestSupport
import Testing

private let (like, love) = (ReactionEmoji(stored: "\u{1F44D}"), ReactionEmoji(stored: ":love:"))

/// What a message shows: the emoji with their counts, and a star for the viewer's own.
private func told(_ reactions: [ReactionSnapshot]?) -> String {
  (reactions ?? []).map { "\($0.emoji)\($0.count)\($0.currentUserReacted ? "*" : "")" }.joined(separator: " ")
}

extension ConversationFixture {
  /// The reactions to the messages that a subscriber was shown last, newest first.
  fileprivate func reactions(_ subscriber: SubscriberID) -> [String] {
    guard case .messages(let messages?, _)? = last(subscriber) else { return [] }
    return messages.map { told($0.reactions) }
  }

  /// Reacts and returns what the reply shows, or the refusal.
  fileprivate mutating func react(_ operation: ConversationOperation, by user: String) -> String {
    let reply = call(operation, by: user)
    guard case .success(.message(let message?))? = reply else { return reply?.outcome ?? "no reply" }
    return told(message.reactions)
  }
}

@Test func `everybody sees how many reacted, and whether they did`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  let second = fixture.send("second", by: "bob", answering: first)
  let lists = ["ann", "bob", "cy"].map { fixture.subscribe(.messages, by: $0) }
  let room = fixture.subscribe(.conversation, by: "bob")
  fixture.moment.listUsers = [UserID(stored: "bob")]
  fixture.clear()

  expectEqual(fixture.react(.addReaction(first, like), by: "bob"), "\u{1F44D}1*", "the reply")
  expectEqual(lists.map { fixture.reactions($0)[1] }, ["\u{1F44D}1", "\u{1F44D}1*", "\u{1F44D}1"], "each sees their own")
  let publishes = fixture.actions.compactMap { action -> Int? in
    if case .publish(.messages, _, let subscribers) = action { subscribers.count } else { nil }
  }
  expectEqual(publishes.sorted(), [1, 2], "who reacted to nothing share one snapshot")
  expectEqual(
    told(fixture.conversation(room)?.lastMessage?.referencedMessage?.reactions), "\u{1F44D}1*", "on what the last message answers")
  expectEqual(
    told(fixture.lists[UserID(stored: "bob")]?.last??.lastMessage?.referencedMessage?.reactions), "\u{1F44D}1*", "in the list too")

  fixture.clear()
  expectEqual(fixture.react(.addReaction(first, like), by: "bob"), "\u{1F44D}1*", "twice is one")
  expectEqual(fixture.commits.count + fixture.actions.count, 1, "and changes nothing: \(fixture.actions)")
  expectEqual(fixture.react(.addReaction(first, love), by: "cy"), "\u{1F44D}1 :love:1*", "another")
  expectEqual(fixture.react(.addReaction(first, love), by: "bob"), "\u{1F44D}1* :love:2*", "in the order of the first of each")
  expectEqual(lists.map { fixture.reactions($0)[1] }, ["\u{1F44D}1 :love:2", "\u{1F44D}1* :love:2*", "\u{1F44D}1 :love:2*"], "each")
  expectEqual(fixture.react(.removeReaction(first, like), by: "ann"), "\u{1F44D}1 :love:2", "what is not one's own stays")
  expectEqual(fixture.react(.removeReaction(first, like), by: "bob"), ":love:2*", "the last of a kind")
  expectEqual(fixture.react(.removeReaction(first, like), by: "bob"), ":love:2*", "gone already")
  expectEqual(fixture.react(.addReaction(second, like), by: "bob"), "\u{1F44D}1*", "the newest message")
  expectEqual(told(fixture.conversation(room)?.lastMessage?.reactions), "\u{1F44D}1*", "as the last message")
  for user in ["cy", "bob"] { _ = fixture.react(.removeReaction(first, love), by: user) }
  expectEqual(lists.map { fixture.reactions($0)[1] }, ["", "", ""], "none is left")
  fixture.call(.deleteMessage(second), by: "bob")
  expectEqual(fixture.react(.addReaction(second, like), by: "ann"), "104 message", "deleted")
}

@Test func `reactions are known again after a restart, and to viewers who come later`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  let ids = (1...30).map { fixture.send("m\($0)", by: "ann") }
  for (index, user) in [(29, "bob"), (29, "cy"), (22, "bob"), (5, "bob")] { _ = fixture.react(.addReaction(ids[index], like), by: user) }
  fixture.send("reply", by: "cy", answering: ids[5])

  fixture.machine = .init(id: fixture.id, settings: ChatSettings())
  let lists = ["ann", "bob", "cy"].map { fixture.subscribe(.messages, by: $0) }
  expectEqual(lists.map { fixture.reactions($0)[1] }, ["\u{1F44D}2", "\u{1F44D}2*", "\u{1F44D}2*"], "in the first window")
  let quotes = lists.map { id -> String in
    guard case .messages(let messages?, _)? = fixture.last(id) else { return "nothing" }
    return told(messages[0].referencedMessage?.reactions)
  }
  expectEqual(quotes, ["\u{1F44D}1", "\u{1F44D}1*", "\u{1F44D}1"], "on what is quoted")
  for id in lists { fixture.loadMore(25, for: id) }
  expectEqual(lists.map { fixture.reactions($0)[8] }, ["\u{1F44D}1", "\u{1F44D}1*", "\u{1F44D}1"], "in a window that has grown")
  expectEqual(fixture.react(.getMessage(ids[22]), by: "cy"), "\u{1F44D}1", "a caller who did not react")
  expectEqual(fixture.react(.getMessage(ids[22]), by: "bob"), "\u{1F44D}1*", "one who did")
  expectEqual(fixture.react(.addReaction(ids[22], love), by: "cy"), "\u{1F44D}1 :love:1*", "one more")
  expectEqual(lists.map { fixture.reactions($0)[8] }, ["\u{1F44D}1 :love:1", "\u{1F44D}1* :love:1", "\u{1F44D}1 :love:1*"], "each")

  // The store fails: the machine forgets all and reads it again.
  fixture.mode = .fails(ConversationFixture.full)
  expectEqual(fixture.react(.addReaction(ids[29], love), by: "ann"), "110", "not kept")
  fixture.mode = .answers
  fixture.pass(1_000)
  expectEqual(fixture.react(.addReaction(ids[29], love), by: "ann"), "\u{1F44D}2 :love:1*", "kept")
  expectEqual(lists.map { fixture.reactions($0)[1] }, ["\u{1F44D}2 :love:1*", "\u{1F44D}2* :love:1", "\u{1F44D}2* :love:1"], "each")
  for id in lists { fixture.unsubscribe(id) }
  for number in 0..<80 { fixture.send("more \(number)", by: "ann") }
  expectEqual(fixture.react(.getMessage(ids[29]), by: "bob"), "\u{1F44D}2* :love:1", "after it left memory")
}

@Test func `a list is told when it is known what its user reacted with`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  _ = fixture.react(.addReaction(first, like), by: "bob")
  fixture.machine = .init(id: fixture.id, settings: ChatSettings())
  fixture.moment.listUsers = [UserID(stored: "bob")]
  // Whoever makes the call is not whose list it is.
  expectEqual(fixture.react(.addReaction(first, love), by: "ann"), "\u{1F44D}1 :love:1*", "")
  expectEqual(
    fixture.lists[UserID(stored: "bob")]?.map { told($0?.lastMessage?.reactions) }, ["\u{1F44D}1* :love:1"], "told once, and right")
  expect(fixture.machine.isIdle, "nothing is left to do")

  fixture.machine = .init(id: fixture.id, settings: ChatSettings())
  fixture.mode = .waits
  fixture.begin(.removeReaction(first, love), by: "ann")
  while !fixture.commits.contains(where: {
    $0.changes.count == 3
      && $0.changes[0] == .removeReaction(fixture.id, Reaction(message: first.number, user: UserID(stored: "ann"), emoji: love))
  }) {
    fixture.release()
  }
  fixture.release()
  expect(fixture.question != nil && !fixture.machine.isIdle, "the store is asked for bob's")
  fixture.release(failing: ConversationFixture.full)
  expect(!fixture.machine.isIdle, "and asked again")
  fixture.mode = .answers
  fixture.pass(1_000)
  expectEqual(fixture.lists[UserID(stored: "bob")]?.last.map { told($0?.lastMessage?.reactions) }, "\u{1F44D}1*", "told in the end")
}

@Test func `a message takes fifty different reactions`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  for number in 0..<50 { fixture.call(.addReaction(first, ReactionEmoji(stored: ":n\(number):")), by: "ann") }
  expectEqual(fixture.react(.addReaction(first, like), by: "bob"), "108 emoji", "the fifty-first")
  expectEqual(fixture.call(.addReaction(first, ReactionEmoji(stored: ":n7:")), by: "bob")?.outcome, "ok", "one that is there")
  fixture.call(.removeReaction(first, ReactionEmoji(stored: ":n9:")), by: "ann")
  expectEqual(fixture.call(.addReaction(first, like), by: "bob")?.outcome, "ok", "in place of one that went")
}

@Test func `what users with live lists reacted with is asked for once, however many they are`() {
  let names = (0..<1_100).map { "u\($0)" }
  var fixture = ConversationFixture(users: names)
  for name in names { fixture.call(.join, by: name) }
  _ = fixture.react(.addReaction(fixture.send("first", by: "u0"), like), by: "u1")
  fixture.subscribe(.messages, by: "u0")
  fixture.moment.listUsers = Set(names.map { UserID(stored: $0) })
  fixture.send("second", by: "u0")
  fixture.reads = []
  fixture.send("third", by: "u0")
  expectEqual(fixture.reads.count, 0, "all is known")
  expectEqual(fixture.lists.values.filter { $0.last??.lastMessage?.plaintext == "third" }.count, 1_100, "and told")
}
