import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ConversationListMachineTests {
  private typealias Sample = ListSamples

  private static let user = ListSamples.viewer
  private static let announced: [EngineAction] = [.announceList(user, isLive: true)]
  private static let ended: [EngineAction] = [.announceList(user, isLive: false)]
  private static let readFirst: [EngineAction] = [.read([first])]
  private static let first = StoreQuery.conversationList(user, after: nil, limit: 3)
  private static let one = UserSamples.subscriber(1)
  private static let two = UserSamples.subscriber(2)
  private static let moment = UserSamples.moment(0)

  private static let settings: ChatSettings = {
    var settings = ChatSettings()
    settings.conversations = ChatSettings.Window(initial: 3, maxPage: 4, defaultPage: 2)
    settings.maxWindowItems = 6
    return settings
  }()

  /// Entries `j` to `a`, the last active first: `j` was active at 100, `a` at 10.
  private static let everything = zip("abcdefghij", 1...).map { Sample.entry(String($0), Timestamp($1) * 10) }.reversed()

  /// What the store answers to a question about `everything`.
  private static func page(after id: String? = nil, _ count: Int) -> StoreAnswer {
    let rest = everything.filter { entry in id.map { entry.record.id.text < $0 } ?? true }
    let next = rest.dropFirst(count).first?.record.id.text
    return .list(Sample.page(Array(rest.prefix(count)), reachedEnd: next == nil, next: next ?? ""))
  }

  private static func listed(_ ids: String, loadedAll: Bool = false, label: String? = nil, to subscribers: [SubscriberID]) -> EngineAction {
    let snapshots = ids.compactMap { id in everything.first { $0.record.id.text == String(id) } }.map { Sample.snapshot($0) }
    return .publish(.conversations(label: label), .conversations(snapshots, loadedAll: loadedAll), to: subscribers)
  }

  private static func refused(_ number: UInt64, _ kind: ChatErrorKind, _ message: String, _ field: String?) -> EngineAction {
    .reply(UserSamples.call(number), .failure(ChatError(kind, message, field: field)))
  }

  private static func notActive(_ number: UInt64) -> EngineAction {
    refused(number, .notFound, "There is no active subscription to this topic", "topic")
  }

  private static func loaded(_ number: UInt64, all: Bool = false) -> EngineAction {
    .reply(UserSamples.call(number), .success(.loadedAll(all)))
  }

  private static func more(_ count: Int, after id: String) -> StoreQuery {
    let entry = everything.first { $0.record.id.text == id }
    return .conversationList(user, after: Sample.cursor(id, entry?.lastMessage?.createdAt ?? 0), limit: count)
  }

  /// A machine whose first subscriber sees `j` to `h`.
  private static func live() -> ConversationListMachine {
    var machine = ConversationListMachine(user: user, settings: settings)
    _ = machine.subscribed(one, label: nil)
    _ = machine.loopsNoted()
    _ = machine.answered(.success([page(3)]), at: moment)
    return machine
  }

  private static let late = Sample.snapshot("k", 110)

  // MARK: - Opening and ending

  @Test func `the loops are told before the list is read, and again when nobody watches`() {
    var machine = ConversationListMachine(user: Self.user, settings: Self.settings)
    expect(machine.isIdle, "nobody watches")
    expectEqual(machine.unsubscribed(Self.one), [], "there is none")
    expectEqual(machine.loopsNoted(), [], "nobody asked")
    expectEqual(machine.answered(.success([Self.page(3)]), at: Self.moment), [], "nothing was asked")
    expectEqual(machine.changed(Self.late.id, revision: 1, Self.late), [], "nobody watches")
    expectEqual(machine.timeReached(at: Self.moment), [], "there was no wish")
    expectEqual(machine.subscribed(Self.one, label: nil), Self.announced, "the first")
    expect(!machine.isIdle, "somebody watches")
    expectEqual(machine.subscribed(Self.two, label: "x"), [], "the second")
    expectEqual(machine.changed(Self.late.id, revision: 1, Self.late), [], "what is read later holds it")
    expectEqual(machine.userChanged(Sample.user("bob", 2), at: Self.moment), [], "nothing is shown")
    expectEqual(machine.answered(.success([Self.page(3)]), at: Self.moment), [], "nothing was asked yet")
    expectEqual(machine.loadMore(nil, for: Self.one, as: UserSamples.call(1)), [Self.notActive(1)], "pending")
    expectEqual(machine.loopsNoted(), Self.readFirst, "all loops noted")
    expectEqual(machine.loopsNoted(), [], "told twice")
    let third = UserSamples.subscriber(3)
    expectEqual(machine.subscribed(third, label: nil), [], "while the list is read")
    expectEqual(
      machine.answered(.success([Self.page(3)]), at: Self.moment),
      [Self.listed("jih", to: [Self.one, third]), Self.listed("jih", label: "x", to: [Self.two])], "shown to each label")
    expectEqual(machine.unsubscribed(Self.one), [], "two are left")
    expectEqual(machine.unsubscribed(third), [], "one is left")
    expectEqual(machine.unsubscribed(Self.two), Self.ended, "the last")
    expect(machine.isIdle, "nobody watches again")
  }

  @Test func `whoever leaves while something is under way is not waited for`() {
    var machine = ConversationListMachine(user: Self.user, settings: Self.settings)
    _ = machine.subscribed(Self.one, label: nil)
    expectEqual(machine.unsubscribed(Self.one), Self.ended, "while the loops are told")
    _ = machine.subscribed(Self.one, label: nil)
    _ = machine.loopsNoted()
    expectEqual(machine.unsubscribed(Self.one), Self.ended, "while the list is read")
    expectEqual(machine.answered(.success([Self.page(3)]), at: Self.moment), [], "the answer is for nobody")

    machine = Self.live()
    expectEqual(machine.subscribed(Self.two, label: nil), Self.readFirst, "a second one reads anew")
    expectEqual(machine.loadMore(2, for: Self.one, as: UserSamples.call(1)), [], "waits for that")
    expectEqual(
      machine.answered(.success([Self.page(3)]), at: Self.moment),
      [Self.listed("jih", to: [Self.two]), .read([Self.more(2, after: "h")])], "shown to the second, then more for the first")
    expectEqual(machine.unsubscribed(Self.one), [Self.notActive(1)], "the call is answered")
    expectEqual(machine.answered(.success([Self.page(after: "h", 2)]), at: Self.moment), [], "nobody wants the page")
    expectEqual(machine.unsubscribed(Self.two), Self.ended, "the last")
  }

  // MARK: - Changes

  @Test func `reports are shown to those whose window they change`() {
    let moved = Sample.entry("h", 120, revision: 2)
    let low = Sample.entry("j", 5, revision: 2)
    let (h, i, j) = (Sample.snapshot("h", 80), Sample.snapshot("i", 90), Sample.snapshot("j", 100))
    let end: [EngineAction] = [.read([Self.more(1, after: "h")])]
    let cases: [(String, ConversationID, Int64, ConversationSnapshot?, [ConversationSnapshot]?)] = [
      ("new activity enters", Self.late.id, 1, Self.late, [Self.late, j, i, h]),
      ("activity inside moves up", h.id, 2, Sample.snapshot(moved), [Sample.snapshot(moved), j, i]),
      ("activity that fell leaves", j.id, 2, Sample.snapshot(low), [i, h]), ("a removal leaves at once", i.id, 2, nil, [j, h]),
      ("below the floor", Sample.id("b"), 2, Sample.snapshot("b", 25), nil), ("removed below the floor", Sample.id("b"), 2, nil, nil),
      ("the next one removed", Sample.id("g"), 2, nil, nil),
      ("equal", j.id, 1, j, nil), ("older", j.id, 0, Sample.snapshot("j", 300), nil),
    ]
    for (name, id, revision, snapshot, shown) in cases {
      var machine = Self.live()
      let actions = shown.map { [EngineAction.publish(.conversations(label: nil), .conversations($0, loadedAll: false), to: [Self.one])] }
      // As long as one is known to lie below, the end is not asked for.
      expectEqual(
        machine.changed(id, revision: revision, snapshot), (actions ?? []) + (name == "the next one removed" ? end : []), name)
      expectEqual(machine.changed(id, revision: revision, snapshot), [], "\(name), told again")
    }
  }

  @Test func `the end is asked for when the last entry below may be gone`() {
    let shown = { (ids: [ConversationSnapshot], all: Bool) in
      EngineAction.publish(.conversations(label: nil), .conversations(ids, loadedAll: all), to: [Self.one])
    }
    let top = Self.everything.prefix(3).map { Sample.snapshot($0) }
    let end = EngineAction.read([Self.more(1, after: "h")])
    let nothing: Result<[StoreAnswer], StoreError> = .success([.list(Sample.page([], reachedEnd: true))])

    var machine = Self.live()
    expectEqual(machine.changed(Self.late.id, revision: 1, Self.late), [shown([Self.late] + top, false)], "entered")
    expectEqual(machine.changed(Sample.id("b"), revision: 9, nil), [], "an unknown one went")
    expectEqual(machine.changed(Sample.id("g"), revision: 9, nil), [end], "the next one went")
    expectEqual(machine.answered(.success([Self.page(after: "g", 1)]), at: Self.moment), [], "something is left")
    expectEqual(machine.changed(Sample.id("f"), revision: 9, nil), [end], "that went too")
    expectEqual(machine.answered(nothing, at: Self.moment), [shown([Self.late] + top, true)], "nothing is left")
    let low = Sample.snapshot("b", 1)
    expectEqual(machine.changed(low.id, revision: 10, low), [shown([Self.late] + top + [low], true)], "from now on all of it is shown")
    expectEqual(machine.loadMore(1, for: Self.one, as: UserSamples.call(1)), [Self.loaded(1, all: true)], "there is no more")

    machine = Self.live()
    _ = machine.changed(Sample.id("g"), revision: 9, nil)
    expectEqual(machine.changed(Sample.id("c"), revision: 9, nil), [], "while it is asked")
    expectEqual(machine.changed(Sample.id("d"), revision: 9, nil), [], "another")
    let gone = Sample.page([Sample.entry("d", 40)], next: "c")
    expectEqual(machine.answered(.success([.list(gone)]), at: Self.moment), [end], "that one went meanwhile: asked again, once")
    expectEqual(machine.answered(nothing, at: Self.moment), [shown(top, true)], "nothing is left")

    // What the page holds came up meanwhile, so nothing is left below it.
    machine = Self.live()
    _ = machine.changed(Sample.id("g"), revision: 9, nil)
    let up = Sample.snapshot("f", 110, revision: 2)
    expectEqual(machine.changed(up.id, revision: 2, up), [shown([up] + top, false)], "came up")
    let page = Sample.page([Sample.entry("f", 60)], reachedEnd: true)
    expectEqual(machine.answered(.success([.list(page)]), at: Self.moment), [shown([up] + top, true)], "the page is older")

    // What fell below the floor meanwhile is below it.
    machine = Self.live()
    _ = machine.changed(Sample.id("g"), revision: 9, nil)
    let fallen = Sample.snapshot("j", 5, revision: 2)
    expectEqual(machine.changed(fallen.id, revision: 2, fallen), [shown(Array(top.dropFirst()), false)], "fell")
    expectEqual(machine.answered(nothing, at: Self.moment), [], "it is there")

    machine = Self.live()
    _ = machine.changed(Sample.id("g"), revision: 9, nil)
    expectEqual(machine.answered(.failure(UserSamples.broken), at: UserSamples.moment(10)), [.wake(at: 1_010)], "the store fails")
    expectEqual(machine.changed(Sample.id("c"), revision: 9, nil), [], "not asked before its time")
    expectEqual(machine.timeReached(at: UserSamples.moment(1_010)), [end], "tried again")
    expectEqual(machine.answered(nothing, at: Self.moment), [shown(top, true)], "nothing is left")
  }

  @Test func `windows above the deepest reach the end with it, and their calls are answered`() {
    var machine = Self.live()
    _ = machine.subscribed(Self.two, label: "x")
    _ = machine.answered(.success([Self.page(3)]), at: Self.moment)
    _ = machine.loadMore(1, for: Self.two, as: UserSamples.call(1))
    let page = Sample.page([Sample.entry("g", 70)], reachedEnd: true)
    _ = machine.answered(.success([.list(page)]), at: Self.moment)
    let third = UserSamples.subscriber(3)
    _ = machine.subscribed(third, label: nil)
    expectEqual(machine.loadMore(1, for: Self.one, as: UserSamples.call(2)), [], "a page is on its way")
    expectEqual(
      machine.changed(Sample.id("g"), revision: 9, nil),
      [Self.listed("jih", loadedAll: true, to: [Self.one]), Self.listed("jih", loadedAll: true, label: "x", to: [Self.two])],
      "what lay between the two windows is gone")
    expectEqual(
      machine.answered(.success([.list(Sample.page(Array(Self.everything.prefix(3)), reachedEnd: true))]), at: Self.moment),
      [Self.listed("jih", loadedAll: true, to: [third]), Self.loaded(2, all: true)], "the call needs no page any more")
  }

  @Test func `a full window pushes out the oldest`() {
    var machine = Self.live()
    _ = machine.loadMore(3, for: Self.one, as: UserSamples.call(1))
    _ = machine.answered(.success([Self.page(after: "h", 3)]), at: Self.moment)
    let shown = [Self.late] + Self.everything.prefix(5).map { Sample.snapshot($0) }
    expectEqual(
      machine.changed(Self.late.id, revision: 1, Self.late),
      [.publish(.conversations(label: nil), .conversations(shown, loadedAll: false), to: [Self.one])], "e is pushed out")
    expectEqual(
      machine.loadMore(1, for: Self.one, as: UserSamples.call(2)),
      [Self.refused(2, .limitExceeded, "The list shows as many items as it may", "count")], "no room")
  }

  @Test func `changes of users are gathered`() {
    var machine = Self.live()
    let renamed = Sample.user("bob", 2)
    expectEqual(machine.userChanged(Sample.user("dan"), at: Self.moment), [], "shown nowhere")
    expectEqual(machine.userChanged(renamed, at: Self.moment), [.wake(at: 100)], "shown")
    expectEqual(machine.userChanged(renamed, at: UserSamples.moment(50)), [], "the wish stands")
    expectEqual(machine.timeReached(at: UserSamples.moment(99)), [.wake(at: 100)], "too early")
    let shown = Self.everything.prefix(3).map { Sample.snapshot($0, users: [renamed]) }
    expectEqual(
      machine.timeReached(at: UserSamples.moment(100)),
      [.publish(.conversations(label: nil), .conversations(shown, loadedAll: false), to: [Self.one])], "shown once")
    expectEqual(machine.timeReached(at: UserSamples.moment(200)), [], "no wish is left")
    _ = machine.userChanged(renamed, at: UserSamples.moment(300))
    expectEqual(machine.timeReached(at: UserSamples.moment(400)), [], "an equal snapshot is not shown")

    _ = machine.subscribed(Self.two, label: "x")
    expectEqual(machine.userChanged(Sample.user("bob", 3), at: UserSamples.moment(500)), [.wake(at: 600)], "while a page is read")
    let last = Self.everything.prefix(3).map { Sample.snapshot($0, users: [Sample.user("bob", 3)]) }
    expectEqual(
      machine.answered(.success([Self.page(3)]), at: UserSamples.moment(501)),
      [
        .publish(.conversations(label: nil), .conversations(last, loadedAll: false), to: [Self.one]),
        .publish(.conversations(label: "x"), .conversations(last, loadedAll: false), to: [Self.two]),
      ], "the page held the user as they were")
  }

  // MARK: - Filters

  @Test func `what a filter does not let pass is not in the list`() {
    var conditions = ConversationConditions()
    conditions.isUnread = true
    let filter = ConversationFilter(anyOf: [conditions])
    let unread = { (id: String, activity: Timestamp, revision: Int64) in
      Sample.entry(id, activity, revision: revision, isUnread: true)
    }
    let question = { (floor: ListCursor?, limit: Int) in
      EngineAction.read([.conversationList(Self.user, after: floor, limit: limit, filter: filter)])
    }
    let shown = { (entries: [ListPage.Entry], all: Bool) in
      EngineAction.publish(.conversations(label: nil), .conversations(entries.map { Sample.snapshot($0) }, loadedAll: all), to: [Self.one])
    }
    let (a, b, c, d) = (unread("a", 40, 1), unread("b", 30, 1), unread("c", 20, 1), unread("d", 10, 1))
    var machine = ConversationListMachine(user: Self.user, filter: filter, settings: Self.settings)
    _ = machine.subscribed(Self.one, label: nil)
    expectEqual(machine.loopsNoted(), [question(nil, 3)], "the store is asked with it")
    expectEqual(
      machine.answered(.success([.list(Sample.page([a, b, c], next: "d"))]), at: Self.moment), [shown([a, b, c], false)], "shown")
    let read = { (id: String, activity: Timestamp) in Sample.snapshot(id, activity, revision: 2) }
    expectEqual(machine.changed(b.record.id, revision: 2, read("b", 30)), [shown([a, c], false)], "what is read goes")
    expectEqual(machine.changed(b.record.id, revision: 2, read("b", 30)), [], "told again")
    expectEqual(machine.changed(Sample.id("e"), revision: 2, read("e", 50)), [], "what was never there stays away")
    let again = unread("b", 60, 3)
    expectEqual(machine.changed(again.record.id, revision: 3, Sample.snapshot(again)), [shown([again, a, c], false)], "a new message")
    let end = question(Sample.cursor("c", 20), 1)
    expectEqual(machine.changed(d.record.id, revision: 2, read("d", 10)), [end], "the one that was below is read")
    expectEqual(
      machine.answered(.success([.list(Sample.page([], reachedEnd: true))]), at: Self.moment), [shown([again, a, c], true)], "no other one")
    expectEqual(machine.loadMore(nil, for: Self.one, as: UserSamples.call(1)), [Self.loaded(1, all: true)], "that is all")
    expectEqual(machine.unsubscribed(Self.one), Self.ended, "the last")
    _ = machine.subscribed(Self.one, label: nil)
    expectEqual(machine.loopsNoted(), [question(nil, 3)], "the filter is still there")
  }

  // MARK: - Loading more

  @Test func `older entries are loaded a page at a time`() {
    var machine = Self.live()
    let invalid = { (number: UInt64) in Self.refused(number, .invalidParams, "count must be from 1 to 4", "count") }
    for count in [0, 5, .min, .max] {
      expectEqual(machine.loadMore(count, for: Self.one, as: UserSamples.call(1)), [invalid(1)], "count \(count)")
    }
    expectEqual(machine.loadMore(nil, for: Self.two, as: UserSamples.call(1)), [Self.notActive(1)], "no subscription")
    expectEqual(machine.loadMore(nil, for: Self.one, as: UserSamples.call(1)), [.read([Self.more(2, after: "h")])], "the default")
    expectEqual(machine.loadMore(4, for: Self.one, as: UserSamples.call(2)), [], "joins it")
    expectEqual(
      machine.answered(.success([Self.page(after: "h", 2)]), at: Self.moment),
      [Self.listed("jihgf", to: [Self.one]), Self.loaded(1), Self.loaded(2)], "the grown snapshot, then the replies")
    expectEqual(machine.loadMore(4, for: Self.one, as: UserSamples.call(3)), [.read([Self.more(1, after: "f")])], "up to the cap")
    expectEqual(
      machine.answered(.success([.list(Sample.page([Sample.entry("e", 50)], reachedEnd: true))]), at: Self.moment),
      [Self.listed("jihgfe", loadedAll: true, to: [Self.one]), Self.loaded(3, all: true)], "the end")
    expectEqual(machine.loadMore(4, for: Self.one, as: UserSamples.call(4)), [Self.loaded(4, all: true)], "there is no more")
  }

  @Test func `two subscribers have windows of their own`() {
    var machine = Self.live()
    _ = machine.subscribed(Self.two, label: "x")
    _ = machine.answered(.success([Self.page(3)]), at: Self.moment)
    _ = machine.loadMore(2, for: Self.two, as: UserSamples.call(1))
    expectEqual(machine.loadMore(1, for: Self.one, as: UserSamples.call(2)), [], "the other's waits for its own page")
    expectEqual(
      machine.answered(.success([Self.page(after: "h", 2)]), at: Self.moment),
      [Self.listed("jihgf", label: "x", to: [Self.two]), Self.loaded(1), .read([Self.more(1, after: "h")])], "one, then the other")
    expectEqual(
      machine.answered(.success([Self.page(after: "h", 1)]), at: Self.moment), [Self.listed("jihg", to: [Self.one]), Self.loaded(2)],
      "the other")
    expectEqual(
      machine.changed(Sample.id("f"), revision: 2, nil), [Self.listed("jihg", label: "x", to: [Self.two])], "only one sees f")
    let third = UserSamples.subscriber(0)
    _ = machine.subscribed(third, label: nil)
    _ = machine.loadMore(1, for: Self.two, as: UserSamples.call(3))
    _ = machine.loadMore(1, for: Self.one, as: UserSamples.call(4))
    expectEqual(
      machine.answered(.success([Self.page(3)]), at: Self.moment),
      [Self.listed("jih", to: [third]), .read([Self.more(1, after: "g"), Self.more(1, after: "f")])], "both in order")
    expectEqual(
      machine.answered(.success([Self.page(after: "f", 1), Self.page(after: "f", 1)]), at: Self.moment),
      [Self.listed("jihge", to: [Self.one]), Self.listed("jihge", label: "x", to: [Self.two]), Self.loaded(4), Self.loaded(3)],
      "each in order")
  }

  @Test func `a window without room for the page is as it was`() {
    var machine = Self.live()
    _ = machine.loadMore(2, for: Self.one, as: UserSamples.call(1))
    let large = Sample.page([Sample.entry("g", 70, size: 200_000)], reachedEnd: true)
    expectEqual(
      machine.answered(.success([.list(large)]), at: Self.moment),
      [Self.refused(1, .limitExceeded, "The list shows as many items as it may", "count")], "too many bytes")
    expectEqual(machine.loadMore(2, for: Self.one, as: UserSamples.call(2)), [.read([Self.more(2, after: "h")])], "there is more")
    for (number, id) in zip(1..., ["k", "l", "m"]) {
      _ = machine.changed(Sample.id(id), revision: 1, Sample.snapshot(id, 100 + Timestamp(number)))
    }
    let shown = [("m", 103), ("l", 102), ("k", 101), ("j", 100), ("i", 90), ("h", 80)].map { Sample.snapshot($0.0, $0.1) }
    expectEqual(
      machine.answered(.success([Self.page(after: "h", 2)]), at: Self.moment),
      [Self.refused(2, .limitExceeded, "The list shows as many items as it may", "count")], "new activity took the room")
    _ = machine.subscribed(Self.two, label: "x")
    expectEqual(
      machine.answered(.success([Self.page(3)]), at: Self.moment),
      [.publish(.conversations(label: "x"), .conversations(shown, loadedAll: false), to: [Self.two])], "nothing was lost")
  }

  // MARK: - Failures

  @Test func `when the store fails, calls fail and pending subscribers are tried again`() {
    let answers: [Result<[StoreAnswer], StoreError>] = [.failure(UserSamples.broken), .success([]), .success([.flag(true)])]
    for answer in answers {
      var machine = ConversationListMachine(user: Self.user, settings: Self.settings)
      _ = machine.subscribed(Self.one, label: nil)
      _ = machine.loopsNoted()
      expectEqual(machine.changed(Self.late.id, revision: 1, Self.late), [], "nothing is shown yet")
      expectEqual(machine.answered(answer, at: UserSamples.moment(10)), [.wake(at: 1_010)], "tried again in a second")
      expectEqual(machine.changed(Self.late.id, revision: 2, Self.late), [], "still nothing")
      expectEqual(machine.timeReached(at: UserSamples.moment(1_009)), [.wake(at: 1_010)], "too early")
      expectEqual(machine.timeReached(at: UserSamples.moment(1_010)), Self.readFirst, "tried again")
      expectEqual(machine.answered(.success([Self.page(3)]), at: Self.moment), [Self.listed("jih", to: [Self.one])], "shown")

      _ = machine.userChanged(Sample.user("bob", 2), at: UserSamples.moment(2_000))
      _ = machine.loadMore(1, for: Self.one, as: UserSamples.call(1))
      _ = machine.loadMore(1, for: Self.one, as: UserSamples.call(2))
      let failures: [EngineAction] = [1, 2].map { .reply(UserSamples.call($0), .failure(.unavailable)) }
      expectEqual(machine.answered(answer, at: UserSamples.moment(2_000)), failures, "nobody is pending")
      _ = machine.subscribed(Self.two, label: nil)
      expectEqual(machine.answered(answer, at: UserSamples.moment(2_010)), [.wake(at: 2_100)], "the nearer of two wishes")
      expectEqual(machine.timeReached(at: UserSamples.moment(2_100)).last, .wake(at: 3_010), "then the other")
      expectEqual(machine.subscribed(UserSamples.subscriber(3), label: nil), Self.readFirst, "tried at once for a new one")
      expectEqual(machine.timeReached(at: UserSamples.moment(3_010)), [], "one question at a time")
    }
  }
}
