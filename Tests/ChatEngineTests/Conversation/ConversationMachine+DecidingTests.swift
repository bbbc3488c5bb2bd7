import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `what waits is decided and kept together`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let messages = fixture.subscribe(.messages, by: "bob")
  fixture.clear()
  fixture.mode = .waits
  let first = fixture.begin(.text("one"), by: "ann")
  let waiting = [
    fixture.begin(.get, by: "bob"), fixture.begin(.text("two"), by: "ann"), fixture.begin(.get, by: "bob"),
    fixture.begin(.text("three"), by: "eve"), fixture.begin(.history(HistoryRange(start: .newest, limit: 2)), by: "bob"),
  ]
  expectEqual(fixture.actions, [], "nothing is told before it is kept")
  fixture.release()
  expectEqual(fixture.replies[first]?.outcome, "ok", "the first is kept")
  expectEqual(fixture.texts(messages), ["one"], "and shown")
  expectEqual(fixture.question, .read([.users([UserID(stored: "eve")])]), "facts first")
  fixture.release()
  expectEqual(waiting.map { fixture.replies[$0] != nil }, [true, false, false, false, false], "a read before all changes goes at once")
  guard case .success(.conversation(let before?))? = fixture.replies[waiting[0]] else { return expect(false, "read") }
  expectEqual(before.unreadMessageCount, 1, "as it was")
  fixture.release()
  expectEqual(fixture.replies[waiting[3]]?.outcome, "102", "refusals behind a change wait too")
  guard case .success(.conversation(let after?))? = fixture.replies[waiting[2]] else { return expect(false, "read") }
  expectEqual(after.unreadMessageCount, 2, "as it is")
  expectEqual(
    fixture.histories[waiting[4]], .history(fixture.id, .newest, limit: 2, viewer: UserID(stored: "bob")), "the store holds what was kept")
  expectEqual(fixture.commits.map { $0.changes.count }, [3, 3], "two commits")
  expectEqual(fixture.question, nil, "done")
}

@Test func `nobody misses that somebody came and went`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  let watcher = fixture.subscribe(.typing, by: "bob")
  fixture.mode = .waits
  let bob = UserID(stored: "bob")
  for operation in [ConversationOperation.createParticipant(bob, ParticipantPatch()), .deleteParticipant(bob), .join] {
    fixture.begin(operation, by: "ann")
    fixture.begin(.createParticipant(bob, ParticipantPatch()), by: "ann")
    fixture.begin(.deleteParticipant(bob), by: "ann")
  }
  let late = fixture.subscribe(.conversation, by: "ann")
  fixture.begin(.deleteParticipant(UserID(stored: "ann")), by: "ann")
  fixture.releaseAll()
  let seen = fixture.shown[watcher]?.map { $0 == .typing(nil) ? 0 : 1 }
  expectEqual(seen, [0, 1, 0, 1, 0, 1, 0], "each of them is shown")
  expectEqual(fixture.shown[late]?.count, 2, "the subscriber sees both states")
  expectEqual(fixture.last(late), .conversation(nil), "the last is nothing")
}

@Test func `a failed commit changes nothing`() {
  var fixture = ConversationFixture()
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  for number in 1...12 { fixture.send("m\(number)", by: "ann") }
  let messages = fixture.subscribe(.messages, by: "bob")
  fixture.loadMore(1, for: messages)
  let before = fixture.last(messages)
  fixture.mode = .waits
  let calls = [fixture.begin(.text("lost"), by: "ann")]
  fixture.release(failing: StoreError(.full, code: 13, "The disk is full"))
  expectEqual(
    fixture.replies[calls[0]], .failure(ChatError.unavailable(StoreError(.full, code: 13, ""))), "without the store's own sentence")
  fixture.releaseAll()
  expectEqual(fixture.shown[messages]?.count, 2, "nothing new is shown")

  // A batch of several entries.
  fixture.mode = .waits
  fixture.begin(.markAsUnread, by: "bob")
  let lost = [fixture.begin(.text("lost"), by: "ann"), fixture.begin(.get, by: "bob"), fixture.loadMore(1, for: messages)]
  let late = fixture.subscribe(.messages, by: "bob")
  let gone = fixture.subscribe(.messages, by: "bob")
  fixture.release()
  fixture.release()
  guard case .commit? = fixture.question else { return expect(false, "facts, then a commit") }
  fixture.unsubscribe(gone)
  let behind = fixture.begin(.text("kept"), by: "ann")
  fixture.release(failing: ConversationFixture.full)
  expectEqual(lost.map { fixture.replies[$0]?.outcome }, ["110", "110", "110"], "all are refused")
  fixture.releaseAll()
  expectEqual(fixture.replies[behind]?.outcome, "ok", "the next is decided on what the store has")
  expectEqual(fixture.texts(messages)?.prefix(2), ["kept", "m12"], "the lost one is not there")
  expectEqual(fixture.texts(late)?.count, 10 + (fixture.shown[late]?.count ?? 0) - 1, "the subscription was made up for")
  expect(before != nil && fixture.last(gone) == nil, "ended ones see nothing")

  // The store stays away.
  fixture.mode = .fails(ConversationFixture.full)
  fixture.call(.text("lost"), by: "ann")
  expectEqual(fixture.call(.get, by: "ann")?.outcome, "110", "reads are refused")
  let pending = fixture.subscribe(.conversation, by: "bob")
  let more = fixture.loadMore(1, for: messages)
  expectEqual(fixture.replies[more]?.outcome, "110", "loadMore is refused")
  fixture.pass(2_500)
  expectEqual(fixture.last(pending), nil, "subscribers wait")
  fixture.mode = .answers
  fixture.pass(1_000)
  expectEqual(fixture.conversation(pending)?.lastMessage?.plaintext, "kept", "until it is back")
  expectEqual(fixture.call(.text("new"), by: "ann")?.outcome, "ok", "all goes on")
  expectEqual(fixture.texts(messages)?.first, "new", "for all")
}

@Test func `calls are taken back while nothing was handed over`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  fixture.mode = .waits
  let first = fixture.begin(.text("one"), by: "ann")
  let second = fixture.begin(.text("two"), by: "ann")
  fixture.cancel(first)
  fixture.cancel(second)
  fixture.cancel(second)
  expectEqual([first, second].map { fixture.replies[$0]?.outcome }, [nil, "-32800"], "one was handed over")
  let subscriber = fixture.subscribe(.messages, by: "ann")
  fixture.unsubscribe(subscriber)
  fixture.releaseAll()
  expectEqual(fixture.replies[first]?.outcome, "ok", "the first goes on")
  expectEqual(fixture.last(subscriber), nil, "the subscription ended before it began")
  expect(fixture.machine.isIdle, "nothing is left")
  // What the machine did not ask for changes nothing.
  expectEqual(fixture.machine.answered(.success([]), at: fixture.moment), [], "no question")
  expectEqual(fixture.machine.committed(nil, at: fixture.moment), [], "no commit")
}

@Test func `a thousand calls are decided in few batches`() {
  var fixture = ConversationFixture()
  fixture.call(.join, by: "ann")
  fixture.clear()
  fixture.mode = .waits
  let calls = (0..<1_000).map { fixture.begin(.text("\($0)"), by: "ann") }
  fixture.releaseAll()
  expectEqual(calls.compactMap { fixture.replies[$0]?.outcome }.count { $0 == "ok" }, 1_000, "all")
  expectEqual(fixture.commits.map { $0.changes.count }, [3, 513, 513, 513, 463], "at most 256 in a batch")
  for index in 0..<1_000 where index % 10 == 0 {
    fixture.mode = .waits
    for offset in 0..<10 { fixture.begin(.deleteMessage(MessageID(Int64(2 + index + offset), in: fixture.id)), by: "ann") }
    fixture.releaseAll()
  }
  guard case .success(.conversation(let empty?))? = fixture.call(.get, by: "ann") else { return expect(false, "read") }
  expectEqual(empty.lastMessage, nil, "all are deleted")
}

@Test func `many who come at once are few commits, and a queue has an end`() {
  let crowd = (0..<50).map { "u\($0)" }
  var fixture = ConversationFixture(users: ["ann"] + crowd)
  fixture.call(.join, by: "ann")
  fixture.clear()
  fixture.mode = .waits
  let calls = crowd.map { fixture.begin(.join, by: $0) }
  let again = fixture.begin(.deleteParticipant(UserID(stored: "u1")), by: "u1")
  fixture.releaseAll()
  expectEqual(Set((calls + [again]).map { fixture.replies[$0]?.outcome }), ["ok"], "all of them")
  expect(fixture.commits.count <= 3, "\(fixture.commits.count) commits: the first, the crowd, and who leaves again")

  // The queue's end: the first call is with the store, so many wait behind it, and the next is told to come later.
  fixture.mode = .waits
  _ = fixture.begin(.text("first"), by: "ann")
  let flood = (0...ConversationMachine.maxQueued).map { _ in fixture.begin(.get, by: "ann") }
  expectEqual(flood.map { fixture.replies[$0] != nil }.firstIndex(of: true), ConversationMachine.maxQueued, "who comes too late")
  expectEqual(flood.last.flatMap { fixture.replies[$0]?.outcome }, "110", "is told so")
  fixture.releaseAll()
  expectEqual(flood.dropLast().allSatisfy { fixture.replies[$0]?.outcome == "ok" }, true, "the others are answered")
}
