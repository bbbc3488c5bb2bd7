import Dispatch
import Synchronization
import TestSupport
import Testing

@testable import Gateway

@Suite struct UserBudgetTests {
  @Test func `many loops take no more than the budget has, and each turn once`() throws {
    let rate = try #require(OperationRate(perSecond: 1_000, burst: 500))
    let budget = UserBudget()
    let admitted = Atomic(0)
    let turns = Atomic<UInt64>(0)
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      for _ in 0..<250 {
        switch budget.take(at: 7_000_000, by: rate) {
        case .admitted: admitted.add(1, ordering: .relaxed)
        case .refused(let until): turns.add(until - 7_000_000, ordering: .relaxed)
        }
      }
    }
    expectEqual(admitted.load(ordering: .relaxed), 500, "the burst")
    // 1,500 turns, a millisecond apart from 1 ms on.
    expectEqual(turns.load(ordering: .relaxed), (1...1_500).reduce(UInt64(0)) { $0 + UInt64($1) * 1_000 }, "no turn twice")
  }

  @Test func `what is refused to all of a user's connections counts together`() throws {
    let rate = try #require(OperationRate(perSecond: 1, burst: 1))
    let budget = UserBudget()
    let abuses = Atomic(0)
    for second in 0..<10 as Range<UInt64> {
      DispatchQueue.concurrentPerform(iterations: 3) { _ in
        if budget.refused(at: second * 1_000_000, by: rate) { abuses.add(1, ordering: .relaxed) }
      }
    }
    expectEqual(abuses.load(ordering: .relaxed), 1, "one call of each in each second, and the last one of the tenth is too many")
  }
}
