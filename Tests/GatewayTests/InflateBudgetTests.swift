import TestSupport
import Testing

@testable import Gateway

@Suite struct InflateBudgetTests {
  @Test func `two seconds' worth is inflated at once, and then as much as the rate says`() {
    var budget = InflateBudget()
    var (now, total): (UInt64, Int) = (5_000, 0)
    while now < 65_000 {
      total += 131_072 - 149
      guard let wait = budget.inflated(131_072, from: 149, at: now, perSecond: 1_000_000) else { continue }
      expect(budget.isWaiting && wait > 0 && wait < 200, "\(wait) ms at \(now)")
      now += wait
      budget.waited()
      expect(!budget.isWaiting, "it goes on")
    }
    expect((61_900_000...62_300_000).contains(total), "\(total) bytes in a minute")
    expectEqual(budget.inflated(1_900_000, from: 0, at: 70_000, perSecond: 1_000_000), nil, "a rested budget is whole again, and no more")
    expect(budget.inflated(1_900_000, from: 0, at: 70_000, perSecond: 1_000_000) != nil, "once")
  }

  @Test func `what was sent is paid for, no rate is no limit, and no number overflows`() {
    var budget = InflateBudget()
    for _ in 0..<1_000 {
      expectEqual(budget.inflated(100_000, from: 100_000, at: 1, perSecond: 1), nil, "as much as was sent")
      expectEqual(budget.inflated(100, from: 200, at: 1, perSecond: 1), nil, "less than was sent")
      expectEqual(budget.inflated(1 << 26, from: 0, at: 1, perSecond: 0), nil, "no limit")
    }
    _ = budget.inflated(.max, from: 0, at: .max, perSecond: 1)
    _ = budget.inflated(1 << 40, from: 0, at: .max, perSecond: .max)
  }
}
