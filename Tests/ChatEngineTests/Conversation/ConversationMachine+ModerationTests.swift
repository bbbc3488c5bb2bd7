import ChatEngine
import ChatModel
import TestSupport
import Testing

private let ban = Restriction(isBanned: true, reason: "spam")
private let mute = Restriction(isMuted: true, reason: "noise")
private let bob = UserID(stored: "bob")
private let moderator: Permissions = {
  var permissions = Permissions()
  permissions.moderate = true
  return permissions
}()

/// Ann and bob write, cy moderates from outside, eve takes no part.
private func stage(_ settings: ChatSettings = ChatSettings(), bobs access: Access = .readWrite) -> ConversationFixture {
  var fixture = ConversationFixture(settings: settings)
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  if access == .read { fixture.call(.setParticipant(bob, ParticipantPatch(access: .set(.read))), by: "ann") }
  return fixture
}

private func restrictions(_ fixture: inout ConversationFixture) -> [RestrictionSnapshot] {
  let reply = fixture.call(.listRestrictions(UserRange(limit: 100)), by: "cy", .user, moderator)
  guard case .success(.restrictions(let restrictions, loadedAll: true))? = reply else {
    expect(false, "\(reply.debugDescription)")
    return []
  }
  return restrictions
}

@Test func `who may moderate whom`() {
  var settings = ChatSettings()
  settings.moderatingRoles = ["sheriff"]
  let dan = UserID(stored: "dan")
  // Columns: the caller, whether their role moderates, the operation, what comes of it.
  let table: [(String, Caller.Kind, Bool, ConversationOperation, String)] = [
    ("ann", .user, false, .restrict(bob, ban), "101"), ("eve", .user, false, .restrict(bob, ban), "102"),
    ("eve", .guest, false, .restrict(bob, ban), "102"), ("ann", .user, true, .restrict(bob, ban), "ok"),
    ("cy", .user, true, .restrict(bob, mute), "ok"), ("cy", .user, true, .restrict(UserID(stored: "eve"), ban), "ok"),
    ("cy", .user, true, .restrict(UserID(stored: "cy"), mute), "101 user"),
    ("cy", .user, true, .restrict(UserID(stored: "cy"), Restriction()), "101 user"),
    ("cy", .user, true, .restrict(dan, ban), "101 user"), ("backend", .app, false, .restrict(dan, ban), "ok"),
    ("backend", .app, false, .restrict(UserID(stored: "backend"), mute), "ok"),
    ("cy", .user, true, .restrict(UserID(stored: "nobody"), ban), "104 user"),
    ("cy", .user, true, .restrict(UserID(stored: "nobody"), Restriction()), "ok"),
    ("cy", .user, true, .restrict(bob, Restriction(isMuted: true, reason: String(repeating: "é", count: 501))), "107 reason"),
    ("cy", .user, true, .restrict(bob, Restriction(isMuted: true, reason: String(repeating: "é", count: 500))), "ok"),
    ("ann", .user, false, .listRestrictions(UserRange(limit: 1)), "101"),
    ("eve", .user, false, .listRestrictions(UserRange(limit: 1)), "102"),
    ("cy", .user, true, .listRestrictions(UserRange(limit: 1)), "ok"),
    ("backend", .app, false, .listRestrictions(UserRange(limit: 1)), "ok"),
  ]
  for (user, kind, moderates, operation, expected) in table {
    var fixture = stage(settings)
    var sheriff = UserRecord(id: dan, name: "Dan", createdAt: 1)
    sheriff.role = "sheriff"
    fixture.put(sheriff)
    let outcome = fixture.call(operation, by: user, kind, moderates ? moderator : Permissions())?.outcome
    expectEqual(outcome, expected, "\(operation) by \(user), \(kind), moderates: \(moderates)")
    var empty = ConversationFixture(settings: settings)
    expectEqual(empty.call(operation, by: user, kind, moderator)?.outcome, "102", "there is no conversation")
  }
  var fixture = stage(settings)
  fixture.machine.moderatingRolesChanged(["default"])
  expectEqual(fixture.call(.restrict(bob, ban), by: "cy", .user, moderator)?.outcome, "101 user", "after a reload")
}

@Test func `a ban takes the place away and keeps it away until it is lifted`() {
  var fixture = stage()
  fixture.moment.listUsers = [bob]
  fixture.call(.markAsTyping, by: "bob")
  let watched = [TopicKind.conversation, .messages, .participants, .typing].map { fixture.subscribe($0, by: "bob") }
  let participants = fixture.subscribe(.participants, by: "ann")
  let (typing, seen) = (fixture.subscribe(.typing, by: "ann"), fixture.subscribe(.conversation, by: "ann"))
  fixture.send("read", by: "ann")
  expect(fixture.conversation(seen)?.everyoneReadUntil != fixture.conversation(seen)?.readUntil, "bob has not read")
  expectEqual(fixture.call(.restrict(bob, ban), by: "cy", .user, moderator)?.outcome, "ok", "the ban")
  for subscriber in watched { expectEqual(fixture.last(subscriber)?.isNull, true, "\(String(describing: fixture.last(subscriber)))") }
  expectEqual(fixture.lists[bob]?.last, .some(nil), "the list's entry goes")
  expectEqual(fixture.names(participants), ["ANN"], "who is left")
  expectEqual(fixture.last(typing), .typing(.few([])), "typing ends")
  expectEqual(fixture.conversation(seen)?.everyoneReadUntil, fixture.conversation(seen)?.readUntil, "everybody who is left has read")

  let add = [ConversationOperation.createParticipant(bob, ParticipantPatch()), .setParticipant(bob, ParticipantPatch())]
  let calls: [(String, Caller.Kind, ConversationOperation, String)] =
    [
      ("bob", .user, .join, "111"), ("bob", .app, .join, "111"), ("bob", .user, .set(ConversationPatch()), "111"),
      ("bob", .user, .text("x"), "102"),
      ("bob", .user, .get, "ok"), ("bob", .user, .markAsTyping, "102"),
      ("ann", .user, .editParticipant(bob, ParticipantPatch()), "104 user"),
    ] + add.flatMap { [("ann", .user, $0, "111"), ("backend", .app, $0, "111")] }
  for isForgotten in [false, true] {
    if isForgotten { fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings()) }
    for (user, kind, operation, expected) in calls {
      let reply = fixture.call(operation, by: user, kind)
      expectEqual(reply?.outcome, expected, "\(operation) by \(user), \(kind)")
      if case .failure(let error)? = reply, error.kind == .restricted { expectEqual(error.reason, "spam", "the reason") }
    }
  }
  expectEqual(restrictions(&fixture).map { "\($0.user.name) \($0.isBanned) \($0.isMuted) \($0.setBy)" }, ["BOB true false cy"], "the list")
  expectEqual(fixture.call(.restrict(bob, Restriction(reason: "over")), by: "cy", .user, moderator)?.outcome, "ok", "lifted")
  expectEqual(restrictions(&fixture), [], "the list is empty")
  expectEqual(fixture.call(.join, by: "bob")?.outcome, "ok", "back")
}

@Test func `a mute keeps from speaking and from nothing else`() {
  var fixture = stage()
  let typing = fixture.subscribe(.typing, by: "ann")
  let own = fixture.send("own", by: "bob", key: "k")
  fixture.call(.startTyping, by: "bob")
  expectEqual(fixture.call(.restrict(bob, mute), by: "cy", .user, moderator)?.outcome, "ok", "the mute")
  expectEqual(fixture.last(typing), .typing(.few([])), "typing ends")
  var subject = ConversationPatch()
  subject.subject = .set("new")
  let edit = MessageEdit(content: ContentBlock.plain("new"))
  let calls: [(ConversationOperation, String)] = [
    (.text("x"), "111"), (.text("own", key: "k"), "111"), (.markAsTyping, "111"), (.startTyping, "111"), (.stopTyping, "111"),
    (.addReaction(own, ReactionEmoji(stored: ":a:")), "111"), (.removeReaction(own, ReactionEmoji(stored: ":a:")), "ok"),
    (.editMessage(own, edit), "111"), (.deleteMessageFields(own, [.custom]), "111"), (.get, "ok"), (.markAsRead(upTo: nil), "ok"),
    (.markAsUnread, "ok"), (.set(subject), "ok"), (.join, "ok"), (.getMessage(own), "ok"), (.deleteMessage(own), "ok"),
    (.deleteParticipant(bob), "ok"), (.text("x"), "102"), (.join, "ok"), (.text("x"), "111"),
  ]
  for (operation, expected) in calls { expectEqual(fixture.call(operation, by: "bob")?.outcome, expected, "\(operation)") }
  expectEqual(fixture.call(.text("x"), by: "bob", .app)?.outcome, "111", "a backend speaks with bob's voice")
  fixture.call(.restrict(UserID(stored: "backend"), mute), by: "cy", .user, moderator)
  expectEqual(fixture.call(.text("notice"), by: "backend", .app)?.outcome, "ok", "a backend speaks for itself")
  fixture.call(.restrict(bob, Restriction()), by: "cy", .user, moderator)
  expectEqual(fixture.call(.text("x"), by: "bob")?.outcome, "ok", "lifted")
}

@Test func `who might only read when they were banned comes back so`() {
  var fixture = stage(bobs: .read)
  fixture.call(.restrict(bob, ban), by: "cy", .user, moderator)
  fixture.call(.restrict(bob, mute), by: "cy", .user, moderator)
  expectEqual(restrictions(&fixture).map { "\($0.isBanned) \($0.isMuted)" }, ["false true"], "the second replaces the first")
  expectEqual(fixture.call(.join, by: "bob")?.outcome, "ok", "a mute lets in")
  expectEqual(fixture.call(.text("x"), by: "bob")?.outcome, "103", "to read")
}

@Test func `the same again is no change, and a ban and a subscription are not decided together`() {
  var fixture = stage()
  fixture.clear()
  for restriction in [Restriction(), mute, mute, ban, ban, Restriction(), Restriction()] {
    expectEqual(fixture.call(.restrict(bob, restriction), by: "cy", .user, moderator)?.outcome, "ok", "\(restriction)")
  }
  expectEqual(fixture.commits.count, 3, "a mute, a ban, lifted")
  expectEqual(fixture.call(.join, by: "bob")?.outcome, "ok", "back")
  fixture.mode = .waits
  let calls = [fixture.begin(.text("x"), by: "ann")]
  let watcher = fixture.subscribe(.conversation, by: "bob")
  let more = [
    fixture.begin(.restrict(bob, ban), by: "cy", .user, moderator), fixture.begin(.join, by: "bob"),
    fixture.begin(.restrict(bob, Restriction()), by: "cy", .user, moderator), fixture.begin(.join, by: "bob"),
  ]
  fixture.releaseAll()
  expectEqual((calls + more).map { fixture.replies[$0]?.outcome }, ["ok", "ok", "111", "ok", "ok"], "one after the other")
  expectEqual(fixture.shown[watcher]?.map(\.isNull), [false, true, false], "nobody comes and goes unseen")
}

@Test func `a failed commit leaves nothing behind, and a long list ends`() {
  var fixture = stage()
  fixture.mode = .fails(ConversationFixture.full)
  expectEqual(fixture.call(.restrict(bob, ban), by: "cy", .user, moderator)?.outcome, "110", "not kept")
  fixture.mode = .answers
  expectEqual(fixture.call(.text("x"), by: "bob")?.outcome, "ok", "bob is there")
  expectEqual(restrictions(&fixture), [], "nothing is forbidden")

  var custom = CustomFields()
  custom["k"] = String(repeating: "x", count: 4_000)
  for number in 0..<100 {
    var user = UserRecord(id: UserID(stored: "u\(number)"), name: "U", createdAt: 1)
    user.custom = custom
    fixture.put(user)
    fixture.call(.restrict(user.id, mute), by: "cy", .user, moderator)
  }
  let reply = fixture.call(.listRestrictions(UserRange(limit: 100)), by: "cy", .user, moderator)
  guard case .success(.restrictions(let page, loadedAll: false))? = reply else { return expect(false, "a page that ends") }
  expect(page.count > 50 && page.count < 70, "256 KiB: \(page.count)")
}
