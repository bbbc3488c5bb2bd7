import TestSupport
import Testing

@testable import SQLiteStore

@Test func `a long log is copied, and a very long one begun anew`() {
  var plan = CheckpointPlan(pages: 100)
  let modes = { (plan: CheckpointPlan) in [0, 99, 100, 399, 400, 799, 800, .max].map { plan.mode(pagesInLog: $0) } }
  let fresh: [CheckpointPlan.Mode?] = [nil, nil, .passive, .passive, .restart, .restart, .restart, .restart]
  expectEqual(modes(plan), fresh, "at first")
  plan.end(.passive, isDone: false)
  expectEqual(modes(plan), fresh, "after a passive one")
  plan.end(.restart, isDone: false)
  expectEqual(modes(plan), [nil, nil, .passive, .passive, .passive, .passive, .restart, .restart], "after somebody read for long")
  for _ in 0..<40 { plan.end(.restart, isDone: false) }
  expectEqual(plan.mode(pagesInLog: .max - 1), .passive, "no overflow")
  plan.end(.restart, isDone: true)
  expectEqual(modes(plan), fresh, "after it worked")
  for pages: Int32 in [.min, 0, .max] { expectEqual(CheckpointPlan(pages: pages).mode(pagesInLog: .max), .restart, "\(pages)") }
}
