import TestSupport
import Testing

@testable import Observability

@Test func `subscriptions move from state to state`() {
  var counts = SubscriptionCounts(topicKinds: 2)
  let steps: [(Int, SubscriptionCounts.State?, SubscriptionCounts.State?, [Int64])] = [
    (1, nil, .pending, [0, 0, 1, 0]), (1, .pending, .active, [0, 0, 0, 1]), (0, nil, .active, [0, 1, 0, 1]),
    (1, .active, nil, [0, 1, 0, 0]),
    (2, nil, .active, [0, 1, 0, 0]), (-1, nil, .active, [0, 1, 0, 0]),
  ]
  for (kind, old, new, expected) in steps {
    counts.move(kind: kind, from: old, to: new)
    let now = (0..<2).flatMap { kind in SubscriptionCounts.State.allCases.map { counts.count(kind: kind, $0) } }
    expectEqual(now, expected, "\(kind) \(String(describing: old)) to \(String(describing: new))")
  }
  for kind in [-1, 2] { expectEqual(counts.count(kind: kind, .active), 0, "no kind \(kind)") }
  expectEqual(SubscriptionCounts.State.allCases.map(\.label), ["pending", "active"], "labels")

  let before = counts
  counts.merge(SubscriptionCounts(topicKinds: 3))
  expectEqual(counts, before, "other kinds are left out")
  expectEqual(SubscriptionCounts(topicKinds: -1).topicKinds, 0, "no negative number")
}
