import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `all that waits is asked for in one question`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let ids = (1...3).map { fixture.send("m\($0)", by: "ann") }
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  fixture.mode = .waits
  fixture.clear()
  let room = fixture.id
  fixture.begin(.markAsUnread, by: "bob")
  fixture.begin(.text("x", answering: ids[0], key: "k"), by: "ann")
  fixture.begin(.markAsRead(upTo: ids[1]), by: "bob")
  fixture.begin(.createParticipant(UserID(stored: "nobody"), ParticipantPatch()), by: "bob")
  fixture.subscribe(.messages, by: "bob")
  fixture.release()
  fixture.releaseAll()
  let expected: [[StoreQuery]] = [
    [.conversation(room)],
    [
      .message(room, ids[0].number), .message(room, ids[1].number), .users([UserID(stored: "nobody")]),
      .sent(room, UserID(stored: "ann"), clientMessageId: "k"),
    ],
  ]
  expectEqual(fixture.reads.prefix(1), expected.prefix(1), "the first call alone")
  expectEqual(
    fixture.reads.dropFirst().first?.sorted(by: <), ([.messages(room, .before(ids[2].number), limit: 2)] + expected[1]).sorted(by: <),
    "the others together")
  expectEqual(fixture.reads.count, 2, "and nothing twice")
}

@Test func `facts that nothing shows are forgotten`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  fixture.mode = .waits
  let users = (0..<1_100).map { UserID(stored: "u\($0)") }
  for user in users { fixture.begin(.getParticipant(user), by: "ann") }
  fixture.releaseAll()
  fixture.clear()
  fixture.call(.getParticipant(users[0]), by: "ann")
  expectEqual(fixture.reads, [[.users([users[0]])]], "asked again")

  // A store that answers something else is asked again.
  let caller = Caller(user: UserID(stored: "ann"), kind: .user, permissions: Permissions())
  let call = CallID(endpoint: Endpoint(loop: 1, connection: 1), serial: 1)
  let first = fixture.machine.called(.getParticipant(users[1]), by: caller, as: call, at: fixture.moment)
  expectEqual(first, [.read([.users([users[1]])])], "asked")
  expectEqual(fixture.machine.answered(.success([.flag(true)]), at: fixture.moment), first, "asked again")
  let answer = fixture.machine.answered(.success([.users([])]), at: fixture.moment)
  expectEqual(answer, [.reply(call, .success(.participant(nil)))], "answered")
}

private func < (left: StoreQuery, right: StoreQuery) -> Bool { "\(left)" < "\(right)" }
