import ChatEngine
import ChatModel
import TestSupport
import Testing

private func limited(_ change: (inout ChatSettings) -> Void = { _ in }) -> ConversationFixture {
  var settings = ChatSettings()
  settings.sendBaseMs[.group] = 1_000
  change(&settings)
  var fixture = ConversationFixture(settings: settings)
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  return fixture
}

@Test func `sends of a burst are answered at their turns, and nothing else waits`() {
  var fixture = limited()
  let calls = (1...5).map { fixture.begin(.text("\($0)"), by: "ann") }
  func answered(_ fixture: ConversationFixture) -> Int { calls.count { fixture.replies[$0] != nil } }
  expectEqual(answered(fixture), 1, "the first at once")
  expectEqual(fixture.call(.text("b"), by: "bob")?.outcome, "ok", "another user's")
  expectEqual(fixture.call(.markAsRead(upTo: nil), by: "ann")?.outcome, "ok", "another call of the same user")
  expectEqual(fixture.call(.text("system"), by: "backend", .app)?.outcome, "ok", "the application")
  expectEqual(fixture.call(.text("system"), by: "backend", .app)?.outcome, "ok", "at once again")
  for (wait, count) in [(999, 1), (1, 2), (1_999, 2), (1, 3), (4_000, 4), (7_999, 4), (1, 5)] as [(UInt64, Int)] {
    fixture.pass(wait)
    expectEqual(answered(fixture), count, "at \(fixture.moment.tick)")
  }
  let reader = fixture.subscribe(.messages, by: "bob")
  expectEqual(fixture.texts(reader), ["5", "4", "3", "2", "system", "system", "b", "1"], "in order")
  expect(!fixture.machine.isIdle, "the last wait runs")
  fixture.unsubscribe(reader)
  fixture.pass(16_000)
  expect(fixture.machine.isIdle, "the burst is over")
}

@Test func `what may not be sent does not wait, and a repeated send neither`() {
  var fixture = limited { $0.sendLimit.maxQueued = 1 }
  let first = fixture.send("1", by: "ann", key: "k")
  guard case .success(.sent(let again?, isDuplicate: true))? = fixture.call(.text("1", key: "k"), by: "ann") else {
    return expect(false, "a retry is answered at once")
  }
  expectEqual(again.id, first, "with the first message")
  expectEqual(fixture.call(.text("other", key: "k"), by: "ann")?.outcome, "106 clientMessageId", "another request")
  expectEqual(fixture.call(.text(""), by: "ann")?.outcome, "-32602 text", "no text")
  expectEqual(fixture.call(.text("x"), by: "eve")?.outcome, "102", "a stranger")
  let waiting = fixture.begin(.text("2", key: "w"), by: "ann")
  expectEqual(fixture.replies[waiting]?.outcome, nil, "waits")
  guard case .failure(let error)? = fixture.call(.text("3"), by: "ann") else { return expect(false, "one too many") }
  expectEqual(error.kind, .rateLimited, "refused at once")
  expect((990...1_000).contains(error.retryAfterMs ?? 0), "told when: \(error)")
  fixture.call(.deleteParticipant(UserID(stored: "ann")), by: "bob")
  fixture.pass(1_000)
  expectEqual(fixture.replies[waiting]?.outcome, "102", "who is removed meanwhile is not sent")
}

@Test func `who leaves, cancels or is stopped does not wait any longer`() {
  let stopping = "110"
  let endings: [(String, (inout ConversationFixture, CallID) -> Void, outcome: String)] = [
    ("cancelled", { $0.cancel($1) }, "-32800"), ("left", { $0.leave($1) }, "-32800"),
    ("stopped", { fixture, _ in fixture.stop() }, stopping),
  ]
  for (name, end, outcome) in endings {
    var fixture = limited()
    fixture.send("1", by: "ann")
    let waiting = fixture.begin(.text("2"), by: "ann")
    end(&fixture, waiting)
    expectEqual(fixture.replies[waiting]?.outcome, outcome, name)
    fixture.leave(waiting)
    let next = fixture.begin(.text("3"), by: "ann")
    expectEqual(fixture.replies[next]?.outcome, outcome == stopping ? "109" : nil, "\(name), the next")
    fixture.pass(1_000)
    let reader = fixture.subscribe(.messages, by: "bob")
    expectEqual(fixture.texts(reader), outcome == stopping ? ["1"] : ["3", "1"], name)
  }
}

@Test func `a turn that nobody wants any more leaves nothing behind`() {
  let endings: [(String, (inout ConversationFixture, CallID) -> Void, outcome: String)] = [
    ("cancelled", { $0.cancel($1) }, "-32800"),
    ("the store fails", { fixture, _ in fixture.release(failing: ConversationFixture.full) }, "110"),
  ]
  for (name, end, outcome) in endings {
    var fixture = limited()
    fixture.send("1", by: "ann")
    let waiting = fixture.begin(.text("2", key: "k"), by: "ann")
    fixture.mode = .waits
    fixture.pass(1_000)
    expect(fixture.question != nil, "its turn has come, and the store is asked for the key")
    end(&fixture, waiting)
    expectEqual(fixture.replies[waiting]?.outcome, outcome, name)
    fixture.releaseAll()
    fixture.pass(60_000)
    expect(fixture.machine.isIdle, name)
  }
}
