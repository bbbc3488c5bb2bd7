import ChatModel
import TestSupport
import Testing

@Test func `conditions on numbers hold up to their bounds`() {
  let cases: [(NumberCondition, holds: [Int64])] = [
    (.above(0), [1, 2, .max]), (.below(0), [.min, -1]), (.atLeast(0), [0, 1, 2, .max]), (.atMost(0), [.min, -1, 0]),
    (.inside(0...1), [0, 1]), (.outside(0...1), [.min, -1, 2, .max]), (.inside(.min ... .max), [.min, -1, 0, 1, 2, .max]),
    (.above(.max), []), (.below(.min), []),
  ]
  for (condition, holds) in cases {
    expectEqual([Int64.min, -1, 0, 1, 2, .max].filter { condition.holds(for: $0) }, holds, "\(condition)")
  }
}
