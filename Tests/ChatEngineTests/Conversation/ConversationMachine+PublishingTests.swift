import ChatEngine
import ChatModel
import TestSupport
import Testing

private func publishes(_ fixture: ConversationFixture) -> [EngineAction] {
  fixture.actions.filter { if case .publish = $0 { true } else { false } }
}

@Test func `a change is built once for all who see the same`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob", "cy"] { fixture.call(.join, by: user) }
  let same = ["ann", "bob", "cy", "cy"].map { fixture.subscribe(.messages, by: $0) }
  let own = ["ann", "bob"].map { fixture.subscribe(.conversation, by: $0) }
  fixture.clear()
  fixture.send("hello", by: "ann")
  guard publishes(fixture).count == 3, case .publish(.messages(fixture.id), let snapshot, to: same)? = publishes(fixture).last else {
    return expect(false, "one for the messages, one for each viewer: \(publishes(fixture))")
  }
  expectEqual(snapshot, fixture.last(same[0]), "the snapshot")
  expectEqual(own.map { fixture.conversation($0)?.unreadMessageCount }, [0, 1], "each their own")
  guard case .reply = fixture.actions.first else { return expect(false, "the reply comes first") }

  // The second one who comes sees what the first saw; only the newcomer is shown it.
  fixture.clear()
  let late = fixture.subscribe(.messages, by: "ann")
  expectEqual(publishes(fixture), [.publish(.messages(fixture.id), snapshot, to: [late])], "the newcomer")
  fixture.unsubscribe(same[1])
  fixture.unsubscribe(same[0])
  fixture.clear()
  fixture.send("again", by: "bob")
  guard case .publish(_, _, let receivers)? = publishes(fixture).last else { return expect(false, "shown") }
  expectEqual(Set(receivers), [same[2], same[3], late], "those who are left")
  fixture.clear()
  fixture.call(.markAsRead(upTo: nil), by: "cy")
  expectEqual(publishes(fixture).count, 2, "everybody's view of the conversation, no messages")
}

@Test func `changes of users are gathered`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let first = fixture.send("first", by: "ann")
  fixture.send("second", by: "bob", answering: first)
  let messages = fixture.subscribe(.messages, by: "bob")
  let participants = fixture.subscribe(.participants, by: "bob")
  let conversation = fixture.subscribe(.conversation, by: "bob")
  func names(_ fixture: ConversationFixture) -> [String?] {
    guard case .messages(let shown?, _)? = fixture.last(messages) else { return [] }
    return [shown.last?.sender?.name, shown.first?.referencedMessage?.sender?.name]
  }
  fixture.clear()
  fixture.rename("ann", to: "Anna", revision: 2)
  fixture.rename("ann", to: "Annabel", revision: 3)
  fixture.rename("dan", to: "Daniel")
  expectEqual(fixture.actions, [.wake(at: 100)], "nothing yet")
  fixture.pass(99)
  expectEqual(publishes(fixture).count, 0, "not yet")
  fixture.pass(1)
  expectEqual(names(fixture), ["Annabel", "Annabel"], "at any depth")
  expectEqual(fixture.names(participants), ["BOB", "Annabel"], "as a participant")
  expectEqual(fixture.conversation(conversation)?.lastMessage?.referencedMessage?.sender?.name, "Annabel", "in the last message")
  expectEqual(publishes(fixture).count, 3, "once a topic")

  fixture.clear()
  fixture.rename("ann", to: "A", revision: 4)
  fixture.send("third", by: "bob")
  expectEqual(names(fixture)[0], "A", "a change at once takes it along")
  expectEqual(fixture.names(participants), ["BOB", "Annabel"], "other topics wait")
  fixture.pass(100)
  expectEqual(fixture.names(participants), ["BOB", "A"], "for their time")
  let count = publishes(fixture).count
  fixture.rename("ann", to: "A", revision: 5)
  fixture.pass(100)
  expectEqual(publishes(fixture).count, count, "what looks the same is not shown again")
  fixture.rename("ann", to: "Old", revision: 3)
  fixture.pass(100)
  expectEqual(publishes(fixture).count, count, "nor what is older")

  // A user who changes while an older row is on its way from the store.
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  fixture.mode = .waits
  let late = fixture.subscribe(.messages, by: "bob")
  let answer = fixture.store.answer(.messages(fixture.id, .newest, limit: 10))
  fixture.rename("ann", to: "Ada", revision: 6)
  expect(answer != fixture.store.answer(.messages(fixture.id, .newest, limit: 10)), "the answer is older")
  guard case .read(let queries)? = fixture.question else { return expect(false, "asked") }
  let answers = queries.map { query -> StoreAnswer in
    if case .messages = query { return answer }
    return fixture.store.answer(query)
  }
  let actions = fixture.machine.answered(.success(answers), at: fixture.moment)
  guard case .publish(_, .messages(let shown?, _), to: [late])? = actions.first else { return expect(false, "shown: \(actions)") }
  expectEqual(shown.last?.sender?.name, "Ada", "the newer name counts")
}

@Test func `lists of conversations are told what concerns them`() {
  var fixture = ConversationFixture()
  let ann = UserID(stored: "ann")
  let bob = UserID(stored: "bob")
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  fixture.moment.listUsers = [ann, bob, UserID(stored: "eve")]
  fixture.send("one", by: "ann")
  expectEqual([ann, bob].map { fixture.lists[$0]?.last??.unreadMessageCount }, [0, 1], "both")
  expectEqual(fixture.lists[UserID(stored: "eve")], nil, "not strangers")
  fixture.call(.markAsUnread, by: "ann")
  expectEqual([ann, bob].map { fixture.lists[$0]?.count }, [2, 1], "one's own mark")
  // A list that was closed and opened again starts from the store.
  fixture.moment.listUsers = [ann]
  fixture.send("two", by: "ann")
  fixture.moment.listUsers = [ann, bob]
  let id = fixture.send("three", by: "ann")
  fixture.call(.deleteMessage(id), by: "ann")
  expectEqual([ann, bob].map { fixture.lists[$0]?.last??.lastMessage?.plaintext }, ["two", "two"], "the last message")
  fixture.moment.listUsers = [ann]
  fixture.call(.markAsUnread, by: "bob")
  fixture.moment.listUsers = [ann, bob]
  fixture.call(.deleteParticipant(bob), by: "bob")
  expectEqual(fixture.lists[bob]?.last, .some(nil), "who leaves")
  guard
    case .updateList(bob, fixture.id, let revision, nil)? = fixture.actions.last(where: {
      if case .updateList(bob, _, _, _) = $0 { true } else { false }
    })
  else { return expect(false, "gone") }
  guard case .putConversation(let record)? = fixture.commits.last?.changes.last else { return expect(false, "kept") }
  expectEqual(revision, record.revision, "at the revision of it")
  fixture.call(.join, by: "bob")
  expectEqual(fixture.lists[bob]?.last??.id, fixture.id, "and comes back")
}

@Test func `whoever comes or goes is told of where guests watch, before the reply and after the commit`() {
  var fixture = ConversationFixture()
  let moves = { (fixture: ConversationFixture) in
    fixture.actions.compactMap { if case .membersMoved(let users) = $0 { users.map(\.text) } else { nil } }
  }
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  fixture.call(.deleteParticipant(UserID(stored: "bob")), by: "bob")
  expectEqual(moves(fixture), [], "no guest watches anybody")
  fixture.moment.guestSightUsers = Set(["bob", "cy", "dan"].map { UserID(stored: $0) })
  let steps: [(String, (inout ConversationFixture) -> Void, [[String]])] = [
    ("comes", { $0.call(.join, by: "bob") }, [["bob"]]), ("is there", { $0.call(.join, by: "bob") }, []),
    ("types", { $0.call(.markAsTyping, by: "bob") }, []), ("comes unwatched", { $0.call(.join, by: "eve") }, []),
    ("goes", { $0.call(.deleteParticipant(UserID(stored: "bob")), by: "bob") }, [["bob"]]),
    ("is let in", { $0.call(.createParticipant(UserID(stored: "cy"), ParticipantPatch()), by: "ann") }, [["cy"]]),
    (
      "is not kept",
      { fixture in
        fixture.mode = .waits
        fixture.begin(.join, by: "dan")
        while case .read? = fixture.question { fixture.release() }
        fixture.release(failing: ConversationFixture.full)
        fixture.releaseAll()
      }, []
    ), ("comes again", { $0.call(.join, by: "dan") }, [["dan"]]),
    ("the end", { $0.call(.delete, by: "app", .app) }, [["cy", "dan"]]),
  ]
  for (name, step, expected) in steps {
    fixture.clear()
    step(&fixture)
    expectEqual(moves(fixture), expected, name)
    guard !expected.isEmpty else { continue }
    guard case .membersMoved? = fixture.actions.first else {
      expect(false, "\(name): told before the reply")
      continue
    }
  }
}
