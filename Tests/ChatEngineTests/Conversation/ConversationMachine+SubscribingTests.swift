import ChatEngine
import ChatModel
import TestSupport
import Testing

/// A conversation of ann and bob with so many messages, and a machine that knows nothing of it yet.
private func stocked(_ count: Int, _ settings: ChatSettings = ChatSettings(), text: String = "m") -> (ConversationFixture, [MessageID]) {
  var fixture = ConversationFixture(settings: settings)
  for user in ["ann", "bob"] { fixture.call(.join, by: user) }
  let ids = (0..<count).map { fixture.send("\(text)\($0 + 1)", by: "ann") }
  fixture.machine = ConversationMachine(id: fixture.id, settings: settings)
  fixture.clear()
  return (fixture, ids)
}

private func window(_ fixture: ConversationFixture, _ subscriber: SubscriberID) -> [String] {
  guard case .messages(let messages?, let loadedAll)? = fixture.last(subscriber) else { return ["nil"] }
  return ["\(messages.count)", messages.first?.plaintext ?? "", messages.last?.plaintext ?? "", loadedAll ? "all" : "more"]
}

@Test func `windows of messages begin with the newest and grow`() {
  var (fixture, ids) = stocked(15)
  let first = fixture.subscribe(.messages, by: "bob")
  expectEqual(window(fixture, first), ["10", "m15", "m6", "more"], "the newest")
  expectEqual(fixture.reads.map(\.count), [2], "one question for all")
  ids.append(fixture.send("m16", by: "ann"))
  expectEqual(window(fixture, first), ["11", "m16", "m6", "more"], "new ones come in")
  fixture.call(.deleteMessage(ids[9]), by: "ann")
  expectEqual(window(fixture, first), ["10", "m16", "m6", "more"], "a deleted one is not replaced")

  let early = fixture.subscribe(.messages, by: "bob", from: .message(ids[1]))
  expectEqual(window(fixture, early), ["14", "m16", "m2", "more"], "from an item on")
  let unknown = fixture.subscribe(.messages, by: "bob", from: .message(.unknown("x")))
  expectEqual(window(fixture, unknown), ["10", "m16", "m6", "more"], "from nowhere")
  let future = fixture.subscribe(.messages, by: "bob", from: .message(MessageID(1_000_000, in: fixture.machine.id)))
  expectEqual(window(fixture, future), ["10", "m16", "m6", "more"], "from a message that does not exist yet")
  let late = fixture.subscribe(.messages, by: "bob", from: .message(ids[14]))
  expectEqual(window(fixture, late), ["2", "m16", "m15", "more"], "from a late item on")
  let all = fixture.subscribe(.messages, by: "bob", from: .message(ids[0]))
  expectEqual(window(fixture, all), ["15", "m16", "m1", "all"], "from the oldest on")

  fixture.clear()
  let call = fixture.loadMore(3, for: first)
  expectEqual(window(fixture, first), ["13", "m16", "m3", "more"], "three more")
  guard case .publish = fixture.actions.first, fixture.actions.last == .reply(call, .success(.loadedAll(false))) else {
    return expect(false, "the reply comes behind the snapshot")
  }
  expectEqual(fixture.replies[fixture.loadMore(for: first)], .success(.loadedAll(true)), "the rest")
  expectEqual(window(fixture, first), ["15", "m16", "m1", "all"], "loaded all")
  fixture.clear()
  let again = fixture.loadMore(for: first)
  expectEqual(fixture.actions, [.reply(again, .success(.loadedAll(true)))], "at once")
  fixture.call(.deleteMessage(ids[0]), by: "ann")
  expectEqual(window(fixture, early), ["14", "m16", "m2", "all"], "nothing is left below the floor")
}

@Test func `a loadMore that finds one running gets its reply`() {
  var (fixture, _) = stocked(30)
  let subscriber = fixture.subscribe(.messages, by: "bob")
  for (count, field) in [(0, "-32602 count"), (101, "-32602 count"), (-5, "-32602 count"), (.max, "-32602 count")] {
    expectEqual(fixture.replies[fixture.loadMore(count, for: subscriber)]?.outcome, field, "\(count)")
  }
  fixture.mode = .waits
  let calls = [5, 10, 1000].map { fixture.loadMore($0, for: subscriber) }
  expectEqual(calls.map { fixture.replies[$0] == nil }, [true, true, true], "they wait")
  fixture.cancel(calls[1])
  expectEqual(fixture.replies[calls[1]]?.outcome, "-32800", "cancelled")
  fixture.releaseAll()
  expectEqual(calls.map { fixture.replies[$0]?.outcome }, ["ok", "-32800", "ok"], "together")
  expectEqual(window(fixture, subscriber), ["15", "m30", "m16", "more"], "one page")
  expectEqual(fixture.shown[subscriber]?.count, 2, "shown once")

  fixture.mode = .waits
  let alone = fixture.loadMore(5, for: subscriber)
  fixture.cancel(alone)
  let next = fixture.loadMore(5, for: subscriber)
  let ended = fixture.loadMore(5, for: subscriber)
  fixture.unsubscribe(subscriber)
  fixture.releaseAll()
  expectEqual([alone, next, ended].map { fixture.replies[$0]?.outcome }, ["-32800", "104 topic", "104 topic"], "ended")
  expectEqual(fixture.replies[fixture.loadMore(5, for: subscriber)]?.outcome, "104 topic", "no subscription")
  let conversation = fixture.subscribe(.conversation, by: "bob")
  expectEqual(fixture.replies[fixture.loadMore(5, for: conversation)]?.outcome, "104 topic", "no window")
  let stranger = fixture.subscribe(.messages, by: "eve")
  expectEqual(fixture.last(stranger), .messages(nil, loadedAll: true), "nothing to see")
  expectEqual(fixture.replies[fixture.loadMore(5, for: stranger)], .success(.loadedAll(true)), "nothing to load")

  // A loadMore that comes right behind its subscription waits for it.
  fixture.machine = ConversationMachine(id: fixture.id, settings: ChatSettings())
  fixture.mode = .waits
  let pending = fixture.subscribe(.messages, by: "bob")
  let behind = fixture.loadMore(2, for: pending)
  fixture.releaseAll()
  expectEqual(fixture.replies[behind], .success(.loadedAll(false)), "one after the other")
  expectEqual(window(fixture, pending), ["12", "m30", "m19", "more"], "both")
}

@Test func `windows are bounded by items and by bytes`() {
  var settings = ChatSettings()
  settings.maxWindowItems = 12
  var (fixture, ids) = stocked(20, settings)
  let subscriber = fixture.subscribe(.messages, by: "bob")
  expectEqual(fixture.replies[fixture.loadMore(5, for: subscriber)], .success(.loadedAll(false)), "to the bound")
  expectEqual(window(fixture, subscriber), ["12", "m20", "m9", "more"], "as many as may be")
  expectEqual(fixture.replies[fixture.loadMore(5, for: subscriber)]?.outcome, "108 count", "full")
  let other = fixture.subscribe(.messages, by: "ann", from: .message(ids[0]))
  expectEqual(window(fixture, other), ["12", "m20", "m9", "more"], "from far below")
  let third = fixture.subscribe(.messages, by: "ann")
  ids.append(fixture.send("m21", by: "ann"))
  expectEqual(window(fixture, subscriber), ["12", "m21", "m10", "more"], "new ones push out the oldest")
  for number in 22...25 { fixture.send("m\(number)", by: "ann") }
  expectEqual(window(fixture, third), window(fixture, subscriber), "all meet at the bound")
  guard case .publish(_, _, let receivers)? = fixture.actions.last(where: { if case .publish = $0 { true } else { false } }) else {
    return expect(false, "shown")
  }
  expectEqual(Set(receivers), [subscriber, other, third], "and are shown one snapshot")

  var (long, _) = stocked(40, text: String(repeating: "x", count: 9_000))
  let reader = long.subscribe(.messages, by: "bob")
  expectEqual(long.replies[long.loadMore(25, for: reader)], .success(.loadedAll(false)), "as far as the bytes go")
  guard case .messages(let shown?, false)? = long.last(reader) else { return expect(false, "a part") }
  expectEqual(shown.count, 14, "256 KiB")
  expectEqual(long.replies[long.loadMore(1, for: reader)]?.outcome, "108 count", "no bytes left")
}

@Test func `windows of participants show who joined last`() {
  let users = (1...15).map { "u\($0)" }
  var settings = ChatSettings()
  settings.maxWindowItems = 14
  var fixture = ConversationFixture(settings: settings, users: users)
  for user in users { fixture.call(.join, by: user) }
  fixture.machine = ConversationMachine(id: fixture.id, settings: settings)
  let subscriber = fixture.subscribe(.participants, by: "u1")
  expectEqual(fixture.names(subscriber), (6...15).reversed().map { "U\($0)" }, "the last ten")
  fixture.call(.deleteParticipant(UserID(stored: "u10")), by: "u10")
  expectEqual(fixture.names(subscriber)?.count, 9, "one less")
  fixture.call(.join, by: "u10")
  expectEqual(fixture.names(subscriber)?.first, "U10", "who comes back is the last")
  expectEqual(fixture.replies[fixture.loadMore(2, for: subscriber)], .success(.loadedAll(false)), "two more")
  expectEqual(fixture.names(subscriber)?.last, "U4", "older ones")
  expectEqual(fixture.replies[fixture.loadMore(51, for: subscriber)]?.outcome, "-32602 count", "too many")
  expectEqual(fixture.replies[fixture.loadMore(for: subscriber)], .success(.loadedAll(false)), "to the bound")
  expectEqual(fixture.names(subscriber)?.count, 14, "as many as may be")
  expectEqual(fixture.replies[fixture.loadMore(for: subscriber)]?.outcome, "108 count", "full")
  for (from, last) in [("u9", "U9"), ("u1", "U2"), ("nobody", "U6")] {
    let other = fixture.subscribe(.participants, by: "u1", from: .participant(UserID(stored: from)))
    expectEqual(fixture.names(other)?.last, last, "from \(from)")
  }
  let outside = fixture.subscribe(.participants, by: "stranger")
  expectEqual(fixture.last(outside), .participants(nil, loadedAll: true), "not for strangers")
  fixture.call(.setParticipant(UserID(stored: "u15"), ParticipantPatch(access: .set(.read))), by: "u1")
  guard case .participants(let shown?, _)? = fixture.last(subscriber) else { return expect(false, "shown") }
  expectEqual(shown.first { $0.user.name == "U15" }?.access, .read, "changes of places show")
}
