import ChatEngine
import ChatModel
import TestSupport
import Testing

private func patch(_ change: (inout ConversationPatch) -> Void) -> ConversationPatch {
  var patch = ConversationPatch()
  change(&patch)
  return patch
}

@Test func `conversations are created, joined and changed`() {
  var fixture = ConversationFixture()
  let fields = patch {
    $0.subject = .set("Subject")
    $0.photoUrl = .set("https://example.org/a.png")
    $0.welcomeMessages = .set(["Hello"])
    $0.custom = .merge([.init(key: "a", value: "1"), .init(key: "b", value: "2")])
    $0.own = ParticipantPatch(access: .set(.readWrite), notify: .set(.mentionsOnly))
  }
  guard
    case .success(.created(let made, true))? = fixture.call(.createIfNotExists(NewConversation(type: .public, fields: fields)), by: "ann")
  else { return expect(false, "created") }
  expectEqual(
    [made.subject, made.photoUrl, made.welcomeMessages.first, made.custom["b"], made.lastMessage?.plaintext],
    ["Subject", "https://example.org/a.png", "Hello", "2", nil], "the fields")
  expectEqual(made.notify, .mentionsOnly, "own notify")
  expectEqual([made.createdAt, made.joinedAt, made.readUntil], [1_001, 1_001, 1_001], "the clock")
  expectEqual(made.everyoneReadUntil, nil, "public conversations have no receipts")
  expectEqual(fixture.commits.map(\.changes.count), [2], "the record and the place")

  fixture.clear()
  let other = NewConversation(fields: patch { $0.subject = .set("Other") })
  guard case .success(.created(let same, false))? = fixture.call(.createIfNotExists(other), by: "ann") else { return expect(false, "same") }
  expectEqual(same, made, "nothing changes")
  expectEqual(fixture.commits, [], "nothing is kept")
  guard case .success(.created(let joined, false))? = fixture.call(.createIfNotExists(other), by: "bob") else {
    return expect(false, "joined")
  }
  expectEqual([joined.subject], ["Subject"], "the conversation stays")
  expectEqual(fixture.call(.createIfNotExists(NewConversation(type: .group)), by: "cy")?.outcome, "106 type", "another type")

  let merge = patch {
    $0.subject = .reset
    $0.custom = .merge([.init(key: "a", value: nil), .init(key: "c", value: "3")])
    $0.own.notify = .set(.never)
  }
  guard case .success(.conversation(let changed?))? = fixture.call(.set(merge), by: "bob") else { return expect(false, "set") }
  expectEqual(changed.custom.entries.map(\.key), ["b", "c"], "merged by key")
  expectEqual(changed.notify, .never, "own place")
  fixture.clear()
  guard case .success(.conversation(let again))? = fixture.call(.set(merge), by: "bob") else { return expect(false, "set again") }
  expectEqual(again, changed, "equal")
  expectEqual(fixture.commits, [], "a change to the same is none")
  guard case .success(.conversation(let reset?))? = fixture.call(.deleteFields([.custom, .photoUrl, .welcomeMessages, .notify]), by: "bob")
  else { return expect(false, "deleteFields") }
  expectEqual([reset.custom.isEmpty, reset.photoUrl == nil, reset.welcomeMessages.isEmpty], [true, true, true], "reset")
  expectEqual(fixture.commits.last?.changes.count, 2, "one place and the record")

  let both = patch { $0.subject = .set("From a stranger") }
  guard case .success(.conversation(let entered?))? = fixture.call(.set(both), by: "cy") else { return expect(false, "set joins") }
  expectEqual(entered.subject, "From a stranger", "joins and changes")
  guard case .putConversation(let record)? = fixture.commits.last?.changes.last else { return expect(false, "record last") }
  expectEqual(record.revision, 5, "one change a call")
  var fresh = ConversationFixture()
  expectEqual(fresh.call(.set(both), by: "ann")?.outcome, "ok", "set creates")
  expectEqual(fresh.call(.set(patch { $0.own.access = .set(.read) }), by: "bob")?.outcome, "ok", "set joins with what it is given")
  expectEqual(fresh.call(.text("x"), by: "bob")?.outcome, "103", "which may be less")
}

@Test func `ids, types and bounds are checked`() {
  let direct = DirectPair(UserID(stored: "ann"), UserID(stored: "bob"))?.conversation.text ?? ""
  let bob = UserID(stored: "bob")
  let long = String(repeating: "x", count: 1_001)
  let many = CustomPatch.merge((0...64).map { .init(key: "\($0)", value: "") })
  let table: [(String, String, NewConversation, String)] = [
    ("a direct one", direct, NewConversation(type: .direct, with: bob), "ok"),
    ("without the other", direct, NewConversation(type: .direct), "-32602 with"),
    ("without the type", direct, NewConversation(with: bob), "-32602 with"),
    ("with oneself", direct, NewConversation(type: .direct, with: UserID(stored: "ann")), "-32602 with"),
    (
      "with the unknown", DirectPair(UserID(stored: "ann"), UserID(stored: "no"))?.conversation.text ?? "",
      NewConversation(type: .direct, with: UserID(stored: "no")), "104 with"
    ),
    ("with another id", "room", NewConversation(type: .direct, with: bob), "-32602 conversation"),
    ("a reserved id", "direct.1", NewConversation(), "-32602 conversation"),
    ("a thread's id", "thread.a.b", NewConversation(), "-32602 conversation"),
    ("an id that the server drew", "guest-1", NewConversation(isServerMade: true), "ok"),
    ("a long subject", "room", NewConversation(fields: patch { $0.subject = .set(long) }), "107 subject"),
    ("a strange address", "room", NewConversation(fields: patch { $0.photoUrl = .set("javascript:x") }), "-32602 photoUrl"),
    ("an address with spaces", "room", NewConversation(fields: patch { $0.photoUrl = .set("http://a b") }), "-32602 photoUrl"),
    (
      "many greetings", "room", NewConversation(fields: patch { $0.welcomeMessages = .set(Array(repeating: "", count: 11)) }),
      "107 welcomeMessages"
    ),
    ("a long greeting", "room", NewConversation(fields: patch { $0.welcomeMessages = .set([long]) }), "107 welcomeMessages"),
    ("many keys", "room", NewConversation(fields: patch { $0.custom = many }), "107 custom"),
  ]
  for (name, id, new, expected) in table {
    var fixture = ConversationFixture(id)
    expectEqual(fixture.call(.createIfNotExists(new), by: "ann")?.outcome, expected, name)
    expectEqual(fixture.commits.isEmpty, expected != "ok", name)
  }
  var reserved = ConversationFixture("direct.1")
  expectEqual(reserved.call(.set(ConversationPatch()), by: "ann")?.outcome, "-32602 conversation", "set makes no reserved ids")
  var room = ConversationFixture()
  for operation in [ConversationOperation.delete, .deleteFields([]), .text("x"), .markAsUnread] {
    expectEqual(room.call(operation, by: "ann", .app)?.outcome, "102", "\(operation) where nothing is")
  }
}

@Test func `a direct conversation holds its two users`() {
  let pair = DirectPair(UserID(stored: "ann"), UserID(stored: "bob"))
  var fixture = ConversationFixture(pair?.conversation.text ?? "")
  let new = ConversationOperation.createIfNotExists(NewConversation(type: .direct, with: UserID(stored: "bob")))
  fixture.call(new, by: "ann")
  let participants = fixture.subscribe(.participants, by: "bob")
  expectEqual(fixture.names(participants)?.sorted(), ["ANN", "BOB"], "both are in")
  expectEqual(fixture.call(.join, by: "cy")?.outcome, "101", "no third one")
  expectEqual(fixture.call(.set(ConversationPatch()), by: "cy")?.outcome, "101", "nor by set")
  expectEqual(fixture.call(.createParticipant(UserID(stored: "cy"), ParticipantPatch()), by: "ann", .app)?.outcome, "101", "nor by anybody")
  fixture.call(.deleteParticipant(UserID(stored: "bob")), by: "bob")
  expectEqual(fixture.last(participants), .participants(nil, loadedAll: true), "bob left")
  expectEqual(fixture.call(.join, by: "bob")?.outcome, "ok", "and comes back")
  expectEqual(fixture.names(participants), ["BOB", "ANN"], "last joined first")

  // Ids of direct conversations are hashes: two pairs may have the same one.
  var other = ConversationFixture(pair?.conversation.text ?? "")
  let record = ConversationRecord(
    id: other.id, type: .direct, pair: DirectPair(UserID(stored: "cy"), UserID(stored: "dan")), createdAt: 1)
  expect(other.store.commit(.init([.putConversation(record)])), "kept")
  expectEqual(other.call(new, by: "ann")?.outcome, "106 conversation", "another pair")
}

@Test func `a deleted conversation is gone for everybody`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  fixture.call(.join, by: "bob")
  fixture.send("hello", by: "ann")
  fixture.moment.listUsers = [UserID(stored: "ann"), UserID(stored: "eve")]
  let kinds: [TopicKind] = [.conversation, .messages, .participants, .typing]
  let watchers = kinds.map { fixture.subscribe($0, by: "ann") }
  fixture.call(.markAsTyping, by: "bob")
  fixture.call(.delete, by: "backend", .app)
  expectEqual(
    watchers.map { fixture.last($0) },
    [.conversation(nil), .messages(nil, loadedAll: true), .participants(nil, loadedAll: true), .typing(nil)], "nothing to see")
  expectEqual(fixture.lists[UserID(stored: "ann")]?.last, .some(nil), "gone from the list")
  expectEqual(fixture.lists[UserID(stored: "eve")], nil, "which others never had it in")
  expect(!fixture.machine.hasTypists, "nobody types")
  expectEqual(fixture.call(.get, by: "ann"), .success(.conversation(nil)), "get")
  fixture.call(.join, by: "ann")
  expectEqual(fixture.texts(watchers[1]), [], "a new one is empty")
  for watcher in watchers { fixture.unsubscribe(watcher) }
  expect(fixture.machine.isIdle, "nobody watches")
}

@Test func `a backend lets nobody in who does not exist`() {
  for isThere in [false, true] {
    var fixture = ConversationFixture()
    if isThere { fixture.call(.createIfNotExists(NewConversation()), by: "ann") }
    for operation in [ConversationOperation.createIfNotExists(NewConversation()), .set(ConversationPatch())] {
      expectEqual(fixture.call(operation, by: "nobody", .app)?.outcome, "104 actAs", "\(operation), there: \(isThere)")
    }
    expect(fixture.call(.createIfNotExists(NewConversation()), by: "backend", .app)?.outcome == "ok", "its own user exists")
  }
}

@Test func `a conversation that is made again gives no message id a second time`() {
  var fixture = ConversationFixture()
  fixture.call(.createIfNotExists(NewConversation()), by: "ann")
  let first = fixture.send("one", by: "ann")
  fixture.call(.delete, by: "backend", .app)
  fixture.call(.createIfNotExists(NewConversation()), by: "ann")
  let second = fixture.send("one again", by: "ann")
  expect(second.number > first.number, "\(second) comes after \(first)")
  let early = ConversationRecord(id: fixture.id, type: .group, pair: nil, createdAt: 1_767_225_600_500)
  let late = ConversationRecord(id: fixture.id, type: .group, pair: nil, createdAt: 1_767_225_700_000)
  expectEqual([early.revision, late.revision], [500, 100_000], "also after a restart: the clock numbers them")
}
