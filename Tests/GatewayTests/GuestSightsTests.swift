import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct GuestSightsTests {
  private static func id(_ text: String) -> UserID { UserID(stored: text) }
  private static func pair(_ guest: String, _ user: String) -> GuestSights.Pair { GuestSights.Pair(guest: id(guest), user: id(user)) }

  private static func questions(_ sights: GuestSights, _ mover: String) -> [String] {
    sights.questions(about: id(mover)).map { "\($0.user) \($0.guest?.text ?? "all")" }
  }

  @Test func `whoever comes or goes is asked about as a guest and as one who is watched`() {
    var sights = GuestSights()
    expectEqual(Self.questions(sights, "g"), [], "nobody watches")
    for pair in [Self.pair("g", "b"), Self.pair("g", "a"), Self.pair("h", "a"), Self.pair("h", "g")] {
      sights.note(pair, isWatching: true)
      sights.note(pair, isWatching: true)
    }
    expectEqual(sights.users, Set(["a", "b", "g", "h"].map { Self.id($0) }), "guests and users")
    let cases = [("g", ["a g", "b g", "g all"]), ("h", ["a h", "g h"]), ("a", ["a all"]), ("b", ["b all"]), ("c", [])]
    for (mover, expected) in cases { expectEqual(Self.questions(sights, mover), expected, mover) }
    sights.note(Self.pair("h", "g"), isWatching: false)
    sights.note(Self.pair("h", "x"), isWatching: false)
    expectEqual(Self.questions(sights, "g"), ["a g", "b g"], "not watched any more")
    sights.note(Self.pair("h", "a"), isWatching: false)
    expectEqual(sights.users, Set(["a", "b", "g"].map { Self.id($0) }), "one guest is gone")
    sights.note(Self.pair("g", "a"), isWatching: false)
    sights.note(Self.pair("g", "b"), isWatching: false)
    expectEqual(sights.users, [], "all are")
    expectEqual(Self.questions(sights, "a"), [], "nobody watches again")
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
