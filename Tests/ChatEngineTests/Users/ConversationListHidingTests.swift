import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ConversationListHidingTests {
  typealias Sample = ListSamples

  private static let bob: Set<UserID> = [UserSamples.bob]
  private static let reader = UserSamples.subscriber(1)

  private static func query(after cursor: ListCursor? = nil, _ limit: Int) -> EngineAction {
    .read([.visibleList(Sample.viewer, after: cursor, limit: limit, hiding: bob)])
  }

  private static func page(_ text: String, reachedEnd: Bool = false) -> Result<[StoreAnswer], StoreError> {
    let entries = text.map { Sample.entry(String($0), 100 + Timestamp($0.asciiValue ?? 0)) }
    return .success([.list(Sample.page(entries, reachedEnd: reachedEnd))])
  }

  private static func shown(_ text: String, loadedAll: Bool = false) -> EngineAction {
    let seen = text.map { Sample.snapshot(String($0), 100 + Timestamp($0.asciiValue ?? 0)) }
    return .publish(.conversations(label: nil), .conversations(seen, loadedAll: loadedAll), to: [reader])
  }

  /// A list of which `j` to `h` are shown and more lies below.
  private static func live() -> ConversationListMachine {
    var settings = ChatSettings()
    settings.conversations = ChatSettings.Window(initial: 3, maxPage: 30, defaultPage: 2)
    var machine = ConversationListMachine(user: Sample.viewer, muted: bob, settings: settings)
    _ = machine.subscribed(reader, label: nil)
    expectEqual(machine.touched(at: UserSamples.moment(0)), [], "nothing is shown yet")
    expectEqual(machine.loopsNoted(), [query(3)], "the first page")
    expectEqual(machine.answered(page("jih"), at: UserSamples.moment(0)), [shown("jih")], "the first window")
    return machine
  }

  @Test func `a list that hides somebody is read again where something changed, some changes at a time`() {
    var machine = Self.live()
    expectEqual(machine.touched(at: UserSamples.moment(10)), [.wake(at: 110)], "gathered")
    expectEqual(machine.touched(at: UserSamples.moment(50)), [], "with others")
    expectEqual(machine.timeReached(at: UserSamples.moment(110)), [Self.query(23)], "read again, and a little more")
    expectEqual(machine.touched(at: UserSamples.moment(111)), [.wake(at: 1_110)], "changed while it is read: a second behind that")
    expectEqual(machine.answered(Self.page("kjihg"), at: UserSamples.moment(112)), [Self.shown("kjih")], "as far down as before")
    expectEqual(machine.timeReached(at: UserSamples.moment(1_110)), [Self.query(24)], "once more")
    expectEqual(machine.timeReached(at: UserSamples.moment(1_111)), [], "not beside it")
    expectEqual(machine.answered(Self.page("kig", reachedEnd: true), at: UserSamples.moment(1_112)), [Self.shown("ki")], "what is gone")
    expectEqual(machine.touched(at: UserSamples.moment(3_000)), [.wake(at: 3_100)], "soon, where it was quiet")
    _ = machine.timeReached(at: UserSamples.moment(3_100))
    expectEqual(
      machine.answered(Self.page("ki", reachedEnd: true), at: UserSamples.moment(3_101)), [Self.shown("ki", loadedAll: true)],
      "nothing lies below any more")
    _ = machine.touched(at: UserSamples.moment(5_000))
    _ = machine.timeReached(at: UserSamples.moment(5_100))
    expectEqual(machine.answered(Self.page("kji"), at: UserSamples.moment(5_101)), [Self.shown("kji")], "and something again")
    expectEqual(
      machine.loadMore(2, for: Self.reader, as: UserSamples.call(7)), [Self.query(after: Sample.cursor("i", 205), 2)], "further down")
    expectEqual(machine.unsubscribed(Self.reader).last, .announceList(Sample.viewer, isLive: false), "nobody watches")
  }

  @Test func `where the store fails, or is busy, the list is read again later`() {
    var machine = Self.live()
    _ = machine.touched(at: UserSamples.moment(0))
    _ = machine.timeReached(at: UserSamples.moment(100))
    let failed = machine.answered(.failure(UserSamples.broken), at: UserSamples.moment(101))
    expectEqual(failed, [.wake(at: 1_101)], "a second later")
    expectEqual(machine.loadMore(2, for: Self.reader, as: UserSamples.call(7)).count, 1, "a page is read meanwhile")
    let busy = machine.timeReached(at: UserSamples.moment(1_101))
    expectEqual(busy.last, .wake(at: 1_201), "later still")
    _ = machine.answered(Self.page("gf"), at: UserSamples.moment(1_102))
    expectEqual(machine.timeReached(at: UserSamples.moment(1_201)), [Self.query(25)], "at last")
  }
}
