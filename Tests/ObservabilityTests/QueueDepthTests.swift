import TestSupport
import Testing

@testable import Observability

@Test func `what waits is added up, and the most is remembered`() {
  var depth = QueueDepth()
  for count in [5, 9, 1, -1] { depth.add(bytes: count) }
  var other = QueueDepth()
  other.add(bytes: 7)
  depth.merge(other)
  expectEqual([depth.connections, depth.bytes, depth.largest], [5, 22, 9], "of two loops")
}
