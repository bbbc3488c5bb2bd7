import ChatModel
import TestSupport
import Testing

@testable import Gateway

@Suite struct UserBudgetsTests {
  private static let ann = UserID(stored: "ann")
  private static let bob = UserID(stored: "bob")

  @Test func `sessions of a user share a budget, which outlives them for a while`() throws {
    let rate = try #require(OperationRate(perSecond: 100, burst: 200))
    let budgets = UserBudgets(rate: rate, stripes: 1)
    let first = try #require(budgets.open(Self.ann, at: 0))
    expect(budgets.open(Self.ann, at: 0) === first, "shared")
    expect(budgets.open(Self.bob, at: 0) !== first, "another user's")
    expectEqual(budgets.count, 2, "two users")
    for _ in 0..<200 { expectEqual(first.take(at: 0, by: rate), .admitted, "whole for two seconds") }
    budgets.close(Self.ann, at: 100)
    budgets.close(Self.ann, at: 200)
    budgets.close(Self.ann, at: 200)
    expect(budgets.open(Self.ann, at: 1_999_999) === first, "who comes back finds it as it was")
    budgets.close(Self.bob, at: 2_000_000)
    expectEqual(budgets.count, 1, "held; who asked for nothing left nothing behind")
    budgets.close(Self.ann, at: 2_000_000)
    _ = budgets.open(Self.bob, at: 2_000_000)
    expect(budgets.open(Self.ann, at: 2_000_000) !== first, "forgotten in time")
    budgets.close(UserID(stored: "nobody"), at: 0)
    expect(UserBudgets(rate: nil).open(Self.ann, at: 0) == nil, "no limit, no budget")
    UserBudgets(rate: nil).close(Self.ann, at: 0)
  }

  @Test func `many users who come and go leave nothing behind`() throws {
    let rate = try #require(OperationRate(perSecond: 1, burst: 10_000_000))
    let budgets = UserBudgets(rate: rate, stripes: 2)
    for number in 0..<3_000 {
      let (user, time) = (UserID(stored: "user \(number)"), UInt64(number) * 50_000)
      let budget = try #require(budgets.open(user, at: time))
      // Ten seconds' worth; of every hundredth user more than the test takes, before which the others must not wait.
      for _ in 0..<(number % 100 == 0 ? 1_000 : 10) { _ = budget.take(at: time, by: rate) }
      budgets.close(user, at: time)
    }
    expect(budgets.count <= 340, "the 200 of the last ten seconds, the 30 and a third more, not \(budgets.count)")
    expectEqual(budgets.restingCount, budgets.count, "each once")
  }

  @Test func `who comes and goes again and again stands once among those who rest`() throws {
    let rate = try #require(OperationRate(perSecond: 1, burst: 10_000_000))
    let budgets = UserBudgets(rate: rate, stripes: 1)
    for number in 0..<1_000 {
      let time = UInt64(number)
      for user in [Self.ann, Self.bob] { _ = budgets.open(user, at: time)?.take(at: time, by: rate) }
      if number % 3 == 0 { _ = budgets.open(Self.ann, at: time) }
      for user in [Self.ann, Self.bob] { budgets.close(user, at: time) }
      if number % 3 == 0 { budgets.close(Self.ann, at: time) }
      expect(budgets.restingCount <= 2, "\(number): \(budgets.restingCount) places")
    }
    let carl = UserID(stored: "carl")
    for time in [999_999_999, 1_000_000_000] as [UInt64] {
      expectEqual(budgets.count, 2, "a thousand calls rest for a thousand seconds, not for the burst's 115 days")
      for _ in 0..<2 { budgets.close(carl, at: time) }
    }
    expectEqual([budgets.count, budgets.restingCount], [0, 0], "nothing is left")
  }

  @Test func `a budget rests until its cell, its turns and its bad seconds are over`() throws {
    let rate = try #require(OperationRate(perSecond: 1, burst: 2))
    let budget = UserBudget()
    expectEqual(budget.rested(at: 5_000_000, by: rate), 0, "new")
    _ = budget.take(at: 5_000_000, by: rate)
    expectEqual(budget.rested(at: 5_000_000, by: rate), 6_000_000, "its cell")
    for _ in 0..<5 { _ = budget.take(at: 5_000_000, by: rate) }
    expectEqual(budget.rested(at: 5_000_000, by: rate), 9_000_000, "the turn of the fourth that was refused")
    for _ in 0..<3 { _ = budget.refused(at: 11_400_000, by: rate) }
    expectEqual(budget.rested(at: 11_400_000, by: rate), 13_000_000, "a bad second and one that takes it back")
  }
}
