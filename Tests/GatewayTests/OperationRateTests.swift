import TestSupport
import Testing

@testable import Gateway

@Suite struct OperationRateTests {
  private static let rate = OperationRate(perSecond: 100, burst: 200)

  @Test func `a rested budget lets a burst in, then one each interval, and says when`() throws {
    let rate = try #require(Self.rate)
    var cell: UInt64 = 0
    var now: UInt64 = 5_000_000
    for number in 1...200 {
      guard case .admitted(let next) = rate.decide(cell, at: now) else { return expect(false, "\(number) of the burst") }
      cell = next
    }
    expectEqual(rate.decide(cell, at: now), .refused(wait: 10_000), "one too many")
    expectEqual(rate.decide(cell, at: now + 9_999), .refused(wait: 1), "not yet")
    for number in 1...3 {
      now += 10_000
      guard case .admitted(let next) = rate.decide(cell, at: now) else { return expect(false, "\(number) after the burst") }
      cell = next
      expectEqual(rate.decide(cell, at: now), .refused(wait: 10_000), "and no other")
    }
    now += 2_000_000
    var count = 0
    while case .admitted(let next) = rate.decide(cell, at: now) { (cell, count) = (next, count + 1) }
    expectEqual(count, 200, "whole again after burst / rate, and not more than whole")
  }

  @Test func `whatever is configured, nothing overflows and 0 is no limit`() throws {
    expect(OperationRate(perSecond: 0, burst: 5) == nil, "off")
    expect(OperationRate(perSecond: -1, burst: 5) == nil, "off")
    let cases: [(Int, Int, admitted: Int)] = [
      (1, 1, 1), (1, 0, 1), (1, -7, 1), (1_000_000, 3, 3), (.max, 2, 2), (7, 4, 4),
    ]
    for (perSecond, burst, admitted) in cases {
      let rate = try #require(OperationRate(perSecond: perSecond, burst: burst))
      for start in [0, 1_000, UInt64.max / 2] {
        var cell: UInt64 = 0
        var count = 0
        while case .admitted(let next) = rate.decide(cell, at: start), count < 10 { (cell, count) = (next, count + 1) }
        expectEqual(count, admitted, "\(perSecond) \(burst) at \(start)")
      }
    }
  }

  @Test func `those who are refused get one turn each, none farther away than ten seconds`() throws {
    let rate = try #require(Self.rate)
    var last: UInt64 = 0
    let now: UInt64 = 1_000_000
    var turns: [UInt64] = []
    for _ in 0..<1_200 {
      last = rate.turn(behind: last, after: 10_000, at: now)
      turns.append(last - now)
    }
    expectEqual(Array(turns.prefix(3)), [10_000, 20_000, 30_000], "one behind the other")
    expectEqual(turns[999], 10_000_000, "the thousandth")
    expectEqual(turns[1_199], 10_000_000, "the rest may ask then")
    expectEqual(rate.turn(behind: last, after: 10_000, at: now + 60_000_000), now + 60_010_000, "later nothing is left of it")
    let slow = try #require(OperationRate(perSecond: 1, burst: 1))
    expectEqual(slow.turn(behind: 0, after: 30_000_000, at: 0), 30_000_000, "but never too early")
  }
}
