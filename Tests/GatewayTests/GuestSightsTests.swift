import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct GuestSightsTests {
  private static func id(_ text: String) -> UserID { UserID(stored: text) }
  private static func pair(_ guest: String, _ user: String) -> GuestSights.Pair { GuestSights.Pair(guest: id(guest), user: id(user)) }

  private static func key(_ user: String) -> MachineKey { .user(id(user), incarnation: 1) }

  private static func moved(_ sights: inout GuestSights, _ mover: String) -> [String] { sights.moved(id(mover)).map(\.text).sorted() }

  @Test func `guests and the users whom they watch are known`() {
    var sights = GuestSights()
    for pair in [Self.pair("g", "b"), Self.pair("g", "a"), Self.pair("h", "a"), Self.pair("h", "g")] {
      sights.note(pair, isWatching: true)
      sights.note(pair, isWatching: true)
    }
    expectEqual(sights.users, Set(["a", "b", "g", "h"].map { Self.id($0) }), "guests and users")
    for (user, isWatched) in [("a", true), ("b", true), ("g", true), ("h", false), ("c", false)] {
      expectEqual(sights.isWatched(Self.id(user)), isWatched, user)
    }
    sights.note(Self.pair("h", "g"), isWatching: false)
    sights.note(Self.pair("h", "x"), isWatching: false)
    expect(!sights.isWatched(Self.id("g")), "not watched any more")
    sights.note(Self.pair("h", "a"), isWatching: false)
    expectEqual(sights.users, Set(["a", "b", "g"].map { Self.id($0) }), "one guest is gone")
    sights.note(Self.pair("g", "a"), isWatching: false)
    sights.note(Self.pair("g", "b"), isWatching: false)
    expectEqual(sights.users, [], "all are")
  }

  @Test func `a guest who moves again and again puts in doubt only whom the store was asked about since`() {
    var sights = GuestSights()
    for user in ["a", "b", "c"] { sights.note(Self.pair("g", user), isWatching: true) }
    expectEqual(Self.moved(&sights, "g"), [], "nobody was asked about: all are in doubt")
    for user in ["a", "b", "c"] { sights.ask(Self.pair("g", user)) }
    expectEqual(Self.moved(&sights, "h"), [], "another moved")
    expectEqual(Self.moved(&sights, "g"), ["a", "b", "c"], "all may be wrong now")
    expectEqual(Self.moved(&sights, "g"), [], "and still are")
    for user in ["a", "b"] { sights.ask(Self.pair("g", user)) }
    sights.note(Self.pair("g", "b"), isWatching: false)
    expectEqual(Self.moved(&sights, "g"), ["a"], "one was asked about and is watched")
  }

  @Test func `one machine asks at a time, the others in their order`() {
    var sights = GuestSights()
    expect(sights.begin(Self.key("a")), "the first asks")
    for user in ["b", "c"] { expect(!sights.begin(Self.key(user)), "\(user) waits") }
    expectEqual([sights.finished(), sights.finished(), sights.finished()], [Self.key("b"), Self.key("c"), nil], "in turn")
    expect(sights.begin(Self.key("d")), "nobody asks any more")
    expectEqual(sights.finished(), nil, "nor waits")
  }

  @Test func `a pair is known when all loops noted it`() {
    var sights = GuestSights()
    let pair = Self.pair("g", "a")
    expect(!sights.noted(pair), "nothing was announced")
    sights.announce(pair, to: 2)
    expect(!sights.noted(pair), "one of two")
    sights.announce(pair, to: 2)
    expectEqual((0..<4).map { _ in sights.noted(pair) }, [false, false, true, false], "announced again before all had noted it")
  }
}
