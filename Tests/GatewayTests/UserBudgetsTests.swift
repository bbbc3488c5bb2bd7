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
    budgets.close(Self.ann, at: 100)
    budgets.close(Self.ann, at: 200)
    budgets.close(Self.ann, at: 200)
    expect(budgets.open(Self.ann, at: 200 + rate.rest - 1) === first, "who comes back finds it as it was")
    // The first rest is over, but somebody is here again.
    _ = budgets.open(Self.bob, at: 200 + rate.rest)
    expectEqual(budgets.count, 2, "held")
    budgets.close(Self.ann, at: 300 + rate.rest)
    expectEqual(budgets.count, 2, "rests anew")
    expect(budgets.open(Self.ann, at: 300 + 2 * rate.rest) !== first, "forgotten in time")
    budgets.close(UserID(stored: "nobody"), at: 0)
    expect(UserBudgets(rate: nil).open(Self.ann, at: 0) == nil, "no limit, no budget")
    UserBudgets(rate: nil).close(Self.ann, at: 0)
  }

  @Test func `many users who come and go leave nothing behind`() throws {
    let rate = try #require(OperationRate(perSecond: 100, burst: 200))
    let budgets = UserBudgets(rate: rate, stripes: 2)
    for number in 0..<3_000 {
      let (user, time) = (UserID(stored: "user \(number)"), UInt64(number) * 50_000)
      _ = budgets.open(user, at: time)
      budgets.close(user, at: time)
    }
    expect(budgets.count <= Int(rate.rest / 50_000) + 10, "those of the last ten seconds, not \(budgets.count)")
  }
}
