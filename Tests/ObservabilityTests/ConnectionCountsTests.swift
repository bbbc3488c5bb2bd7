import TestSupport
import Testing

@testable import Observability

@Test func `connections are counted by how they end`() {
  var counts = ConnectionCounts()
  for _ in 0..<3 { counts.open() }
  counts.close(.clientClosed)
  expectEqual(counts.current, 2, "open now")
  for cause in CloseCause.allCases { counts.close(cause) }
  for cause in CloseCause.allCases { expectEqual(counts.closed(cause), cause == .clientClosed ? 2 : 1, cause.label) }
  expectEqual(counts.current, 0, "never below nothing")

  for status in [400, 503, 503, 418, -1] { counts.refuse(status: status) }
  let refused = counts.refusals.filter { $0.count > 0 }.map { "\($0.status) \($0.count)" }
  expectEqual(refused, ["400 1", "503 2", "other 2"], "refusals")

  for reason in ConnectionRefusal.allCases + [.addressLimit] { counts.refuse(reason) }
  for reason in ConnectionRefusal.allCases { expectEqual(counts.refused(reason), reason == .addressLimit ? 2 : 1, reason.label) }
  var sum = counts
  sum.merge(counts)
  expectEqual(sum.refused(.addressLimit), 4, "of both loops")
}
