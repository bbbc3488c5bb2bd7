import TestSupport
import Testing

@testable import Gateway

@Suite struct RefusalTallyTests {
  /// When a client that has so many calls refused in each second is cut off: the second, from 1; nil where it is not in 70.
  private static func end(_ refused: (Int) -> Int, rate: OperationRate, from start: UInt64 = 0) -> Int? {
    var tally = RefusalTally()
    for second in 0..<70 {
      let count = refused(second)
      for number in 0..<count {
        let time = start &+ UInt64(second) * 1_000_000 &+ UInt64(number) * 1_000_000 / UInt64(count)
        if tally.refused(at: time, by: rate) { return second + 1 }
      }
    }
    return nil
  }

  @Test func `ten bad seconds in a row are abuse, and a good one takes a bad one back`() throws {
    let rate = try #require(OperationRate(perSecond: 100, burst: 200))
    let cases: [(String, (Int) -> Int, Int?)] = [
      ("as many as are let in", { _ in 100 }, nil), ("twice as many", { _ in 200 }, nil), ("more", { _ in 201 }, 10),
      ("many more", { _ in 4_000 }, 10), ("one great burst", { $0 == 0 ? 50_000 : 0 }, nil),
      ("a burst every other second", { $0.isMultiple(of: 2) ? 5_000 : 0 }, nil),
      ("two of three seconds", { $0 % 3 == 2 ? 0 : 500 }, 26), ("nine seconds, then rest", { $0 < 9 ? 500 : 0 }, nil),
      ("nine, one of rest, two", { $0 == 9 || $0 > 11 ? 0 : 500 }, 12), ("ten minutes apart", { $0 % 60 < 9 ? 500 : 1 }, nil),
    ]
    for (name, refused, expected) in cases {
      for start in [0, 7_000_000, 1_000_000_000_000] as [UInt64] {
        expectEqual(Self.end(refused, rate: rate, from: start), expected, "\(name) from \(start)")
      }
    }
  }

  @Test func `a clock that is a little behind changes nothing, and abuse stays abuse in its second`() throws {
    let rate = try #require(OperationRate(perSecond: 1, burst: 1))
    var tally = RefusalTally()
    var isAbuse = false
    for second in 1...10 as ClosedRange<UInt64> {
      for number in 0..<3 as Range<UInt64> { isAbuse = tally.refused(at: second * 1_000_000 - number, by: rate) || isAbuse }
      for _ in 0..<3 { isAbuse = tally.refused(at: second * 1_000_000 + 1, by: rate) || isAbuse }
    }
    expect(isAbuse, "ten bad seconds, told by two clocks")
    expect(tally.refused(at: 10_500_000, by: rate), "still")
    expect(!tally.refused(at: 60_000_000, by: rate), "forgiven")
  }
}
