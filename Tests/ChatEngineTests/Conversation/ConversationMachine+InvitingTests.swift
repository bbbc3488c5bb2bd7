import ChatEngine
import ChatModel
import TestSupport
import Testing

private func user(_ name: String) -> UserID { UserID(stored: name) }

private let manager: Permissions = {
  var permissions = Permissions()
  permissions.manageConversations = true
  return permissions
}()

/// Ann and bob write, cy may only read; dan, eve and backend take no part.
private func stage(_ settings: ChatSettings = ChatSettings()) -> ConversationFixture {
  var fixture = ConversationFixture(settings: settings)
  for name in ["ann", "bob", "cy"] {
    fixture.call(name == "ann" ? .join : .createParticipant(user(name), ParticipantPatch()), by: "ann", .app)
  }
  fixture.call(.setParticipant(user("cy"), ParticipantPatch(access: .set(.read))), by: "ann", .app)
  return fixture
}

private func invitees(_ fixture: inout ConversationFixture) -> [String] {
  guard case .success(.invitees(let invitees, true))? = fixture.call(.listInvitees(UserRange(limit: 100)), by: "ann") else {
    return ["no list"]
  }
  return invitees.map { "\($0.user.name) by \($0.invitedBy)" }
}

@Test func `who may invite whom`() {
  var closed = ChatSettings()
  closed.syncConversations = false
  let many = (0...20).map { user("u\($0)") }
  // Caller, role, users; what comes of it where clients may change conversations, and where not.
  let table: [(String, Caller.Kind, Permissions, [UserID], [String])] = [
    ("ann", .user, Permissions(), [user("dan")], ["ok", "105"]), ("ann", .user, Permissions(), [], ["ok", "ok"]),
    ("ann", .user, Permissions(), [user("bob")], ["ok", "ok"]), ("cy", .user, Permissions(), [user("dan")], ["103", "103"]),
    ("eve", .user, Permissions(), [user("dan")], ["102", "102"]), ("eve", .user, manager, [user("dan")], ["ok", "ok"]),
    ("backend", .app, Permissions(), [user("dan"), user("eve")], ["ok", "ok"]),
    ("ann", .user, Permissions(), [user("dan"), user("nobody")], ["104 users", "105"]),
    ("ann", .guest, Permissions(), [user("dan")], ["104 users", "105"]),
    ("ann", .user, Permissions(), many, ["107 users", "107 users"]),
  ]
  for (name, kind, permissions, users, expected) in table {
    for (index, settings) in [ChatSettings(), closed].enumerated() {
      var fixture = stage(settings)
      let outcome = fixture.call(.invite(users), by: name, kind, permissions)?.outcome
      expectEqual(outcome, expected[index], "\(users) by \(name), \(kind)")
    }
  }
  var fixture = stage()
  expectEqual(fixture.call(.listInvitees(UserRange(limit: 1)), by: "eve")?.outcome, "102", "a stranger's look at the list")
  fixture.call(.restrict(user("dan"), Restriction(isBanned: true)), by: "backend", .app)
  expectEqual(fixture.call(.invite([user("eve"), user("dan")]), by: "ann")?.outcome, "111", "a banned user")
  expectEqual(invitees(&fixture), [], "all or none")
  let pair = DirectPair(user("ann"), user("bob"))
  var direct = ConversationFixture(pair?.conversation.text ?? "")
  direct.call(.createIfNotExists(NewConversation(type: .direct, with: user("bob"))), by: "ann")
  expectEqual(direct.call(.invite([user("dan")]), by: "ann")?.outcome, "101", "a third in a direct conversation")
}

@Test func `a member is not made less, and who is invited twice is invited once`() {
  var fixture = stage()
  fixture.call(.deleteParticipant(user("cy")), by: "cy")
  fixture.clear()
  guard case .success(.invited(let invited))? = fixture.call(.invite([user("dan"), user("bob"), user("cy"), user("dan")]), by: "ann") else {
    return expect(false, "no reply")
  }
  let shown = invited.map { entry in
    switch entry {
    case .participant(let participant): "\(participant.user.name) \(participant.access.rawValue)"
    case .pending(let user, let access): "\(user.name) may have \(access.rawValue)"
    }
  }
  expectEqual(shown, ["DAN may have ReadWrite", "BOB ReadWrite", "CY may have Read", "DAN may have ReadWrite"], "in the order of the call")
  expectEqual(fixture.commits.count, 1, "one change")
  expectEqual(invitees(&fixture), ["CY by ann", "DAN by ann"], "who is invited")
  expectEqual(fixture.call(.invite([user("dan")]), by: "bob")?.outcome, "ok", "again")
  expectEqual(invitees(&fixture), ["CY by ann", "DAN by ann"], "the first invitation stands")
  expectEqual(fixture.commits.count, 1, "no change")
  expectEqual(fixture.call(.text("x"), by: "bob")?.outcome, "ok", "bob is what he was")
}

@Test func `an invitation ends when it is accepted, declined, taken back or made useless`() {
  var closed = ChatSettings()
  closed.syncConversations = false
  let dan = user("dan")
  var subject = ConversationPatch()
  subject.subject = .set("x")
  // What is called, by whom, with what outcome where clients may not change conversations; whether dan takes part then, and is invited.
  let table: [(String, ConversationOperation, Caller.Kind, String, isInside: Bool, isInvited: Bool)] = [
    ("dan", .join, .user, "ok", true, false), ("dan", .set(ConversationPatch()), .user, "ok", true, false),
    ("dan", .set(subject), .user, "105", false, true), ("dan", .deleteParticipant(dan), .user, "ok", false, false),
    ("ann", .deleteParticipant(dan), .user, "105", false, true),
    ("ann", .createParticipant(dan, ParticipantPatch()), .user, "105", false, true),
    ("eve", .deleteParticipant(dan), .user, "102", false, true), ("backend", .deleteParticipant(dan), .app, "ok", false, false),
    ("backend", .createParticipant(dan, ParticipantPatch()), .app, "ok", true, false),
    ("backend", .restrict(dan, Restriction(isBanned: true)), .app, "ok", false, false),
    ("backend", .restrict(dan, Restriction(isMuted: true)), .app, "ok", false, true), ("dan", .text("x"), .user, "102", false, true),
    ("dan", .get, .user, "ok", false, true), ("backend", .delete, .app, "ok", false, false),
  ]
  for (name, operation, kind, expected, isInside, isInvited) in table {
    for isForgotten in [false, true] {
      var fixture = stage(closed)
      fixture.call(.invite([dan]), by: "backend", .app)
      if isForgotten { fixture.machine = ConversationMachine(id: fixture.id, settings: closed) }
      fixture.clear()
      expectEqual(fixture.call(operation, by: name, kind)?.outcome, expected, "\(operation) by \(name)")
      let told = fixture.actions.contains { if case .invitationsChanged([dan]) = $0 { true } else { false } }
      expectEqual(told, !isInvited, "\(operation) by \(name): the list is told")
      let isThere = fixture.call(.getParticipant(dan), by: "dan", .app) != .success(.participant(nil))
      expectEqual(isThere, isInside, "\(operation) by \(name): dan takes part")
      guard case .invitations(let page) = fixture.store.answer(.invitations(dan, limit: 9)) else { return expect(false, "no page") }
      expectEqual(page.entries.count, isInvited ? 1 : 0, "\(operation) by \(name): the store")
    }
  }
}

@Test func `the invited are told when what they see changes, and there is a bound`() {
  var fixture = stage()
  fixture.call(.invite([user("dan"), user("eve")]), by: "ann")
  fixture.clear()
  var subject = ConversationPatch()
  subject.subject = .set("new")
  fixture.call(.set(subject), by: "ann")
  expect(fixture.actions.contains(.invitationsChanged([user("dan"), user("eve")])), "a subject")
  fixture.clear()
  fixture.call(.text("x"), by: "ann")
  expect(!fixture.actions.contains { if case .invitationsChanged = $0 { true } else { false } }, "a message is nothing to them")
  for number in 0..<ChatSettings.maxInvitations { fixture.put(UserRecord(id: user("u\(number)"), name: "U", createdAt: 1)) }
  var left = (0..<ChatSettings.maxInvitations - 2).map { user("u\($0)") }
  while !left.isEmpty {
    expectEqual(fixture.call(.invite(Array(left.prefix(20))), by: "ann")?.outcome, "ok", "up to the bound")
    left.removeFirst(min(20, left.count))
  }
  expectEqual(fixture.call(.invite([user("u999")]), by: "ann")?.outcome, "108 users", "one more")
  fixture.call(.join, by: "dan")
  expectEqual(fixture.call(.invite([user("u999")]), by: "ann")?.outcome, "ok", "dan made room")
}
