import TestSupport
import Testing

@testable import Gateway

@Suite struct CallBudgetTests {
  private static let rate = OperationRate(perSecond: 100, burst: 200)

  private static func budgets(_ count: Int) -> [CallBudget] {
    let user = UserBudget()
    return (0..<count).map { _ in
      var budget = CallBudget(rate: rate)
      budget.user = user
      return budget
    }
  }

  @Test func `a connection has its budget, and a user one for all connections`() {
    var alone = CallBudget(rate: Self.rate)
    var ten = Self.budgets(10)
    var off = CallBudget(rate: nil)
    var (own, shared) = (0, 0)
    for number in 0..<1_000 {
      expectEqual(off.take(at: 0), .admitted, "no limit")
      if alone.take(at: 0) == .admitted { own += 1 }
      if ten[number % 10].take(at: 0) == .admitted { shared += 1 }
    }
    expectEqual(own, 200, "one connection")
    expectEqual(shared, 200, "ten connections of a user")
    expectEqual(CallBudget(rate: Self.rate).user == nil, true, "before a session there is no user")
    var fresh = CallBudget(rate: Self.rate)
    for _ in 0..<200 { _ = fresh.take(at: 0) }
    expectEqual(fresh.take(at: 0), .refused(retryAfterMs: 10, by: .connection), "the connection's")
    expectEqual(fresh.take(at: 1), .refused(retryAfterMs: 20, by: .connection), "behind the one before, rounded up")
    var other = ten[3]
    expectEqual(other.take(at: 20_000_000), .admitted, "later")
    guard case .refused(_, by: .user) = ten[4].take(at: 0) else { return expect(false, "the user's") }
  }

  /// Clients that call again as soon as they may: each has so many calls under way, and waits as it is told before it tries one again.
  private static func abide(connections: Int, callsEach: Int, seconds: UInt64) -> (admitted: Int, refused: Int, abused: Int) {
    var budgets = budgets(connections)
    var calls = (0..<connections * callsEach).map { (due: UInt64(0), connection: $0 % connections) }
    var result = (admitted: 0, refused: 0, abused: 0)
    var seed: UInt64 = 1
    while let next = calls.indices.min(by: { calls[$0].due < calls[$1].due }), calls[next].due < seconds * 1_000_000 {
      let (now, connection) = calls[next]
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      // The way there and back takes up to 2 ms.
      let delay = seed >> 33 % 2_000
      switch budgets[connection].take(at: now) {
      case .admitted:
        result.admitted += 1
        calls[next].due = now + 1 + delay
      case .refused(let retryAfterMs, _):
        result.refused += 1
        calls[next].due = now + UInt64(retryAfterMs) * 1_000 + delay
      case .abused:
        result.abused += 1
        calls[next].due = .max
      }
    }
    return result
  }

  @Test func `who keeps to retryAfterMs gets the whole rate and is never cut off`() {
    for (connections, callsEach) in [(1, 1), (1, 400), (50, 1), (50, 5)] {
      let result = Self.abide(connections: connections, callsEach: callsEach, seconds: 14)
      expectEqual(result.abused, 0, "\(connections) connections of \(callsEach) calls: \(result)")
      expect(result.admitted > 1_350 && result.refused < 3_000, "\(connections) connections of \(callsEach) calls: \(result)")
    }
  }

  @Test func `who ignores it is cut off after about ten seconds, on one connection or on ten`() {
    for (connections, perSecond, isEnded) in [(1, 1_000, true), (1, 310, true), (1, 290, false), (10, 1_000, true), (10, 290, false)] {
      var budgets = Self.budgets(connections)
      var end: Int?
      for number in 0..<perSecond * 60 where end == nil {
        let now = UInt64(number) * 1_000_000 / UInt64(perSecond)
        if case .abused = budgets[number % connections].take(at: now) { end = number / perSecond }
      }
      expectEqual(end.map { (9...13).contains($0) }, isEnded ? true : nil, "\(connections), \(perSecond): \(end ?? -1)")
    }
  }

  @Test func `abuse is told with whose budget was used up`() {
    var alone = CallBudget(rate: Self.rate)
    var shared = Self.budgets(2)
    for second in 0..<20 as Range<UInt64> {
      for _ in 0..<1_000 {
        _ = alone.take(at: second * 1_000_000)
        _ = shared[0].take(at: second * 1_000_000)
      }
    }
    expectEqual(alone.take(at: 19_000_000), .abused(by: .connection), "the connection's")
    expectEqual(shared[1].take(at: 19_000_000), .abused(by: .user), "the user's")
  }
}
