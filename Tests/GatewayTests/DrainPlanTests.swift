import TestSupport
import Testing

@testable import Gateway

@Suite struct DrainPlanTests {
  @Test func `connections are closed in batches, the busy ones at last, and the rest is freed`() {
    let cases: [(connections: Int, drainMs: UInt64, steps: Int)] = [
      (0, 10_000, 0), (1, 10_000, 1), (20, 10_000, 1), (21, 10_000, 2), (1_600, 10_000, 80), (1_601, 10_000, 77), (100_000, 10_000, 80),
      (1_000, 100, 1), (5, 0, 1), (3, 9, 1),
    ]
    for (count, drainMs, steps) in cases {
      let name = "\(count) connections in \(drainMs) ms"
      let all = (0..<count).map { UInt64($0) }
      var plan = DrainPlan(connections: all, drainMs: drainMs, farewellMs: 50, now: 500)
      var closed: [UInt64] = []
      var used = 0
      var now: UInt64 = 500
      while closed.count < count {
        switch plan.step(at: now) {
        case .close(let due), .closeAll(let due):
          closed += due
          used += 1
        case .freeAll:
          expect(false, "\(name): freed too early")
          return
        }
        now += DrainPlan.stepMs
      }
      expectEqual(closed, all, "\(name): each once, in order")
      expectEqual(used, steps, "\(name): steps")
      expect(now <= 500 + drainMs / 5 * 4 + DrainPlan.stepMs, "\(name): in four fifths of the time")
      expectEqual(plan.step(at: 500 + drainMs), .closeAll([]), "\(name): the last call")
      expectEqual(plan.step(at: 500 + drainMs + 50), .freeAll, "\(name): the end")
    }
  }

  @Test func `a postponed connection comes again until the last call`() {
    var plan = DrainPlan(connections: [7], drainMs: 1_000, farewellMs: 500, now: 0)
    for now in stride(from: 0 as UInt64, to: 1_000, by: 100) {
      expectEqual(plan.step(at: now), .close([7]), "at \(now)")
      plan.postpone(7)
    }
    expectEqual(plan.step(at: 1_000), .closeAll([7]), "the last call")
    expectEqual(plan.step(at: 1_499), .closeAll([]), "nobody is left")
    expectEqual(plan.step(at: 1_500), .freeAll, "the end")
    expectEqual(plan.step(at: .max), .freeAll, "long after")
    var long = DrainPlan(connections: [1], drainMs: .max, farewellMs: 0, now: 0)
    expectEqual(long.step(at: 1), .close([1]), "a drain without end")
  }
}
