import TestSupport
import Testing

@testable import Observability

@Test func `commits are counted with their size and time`() {
  let meter = StoreMeter()
  expectEqual(meter.snapshot, StoreMetrics(), "nothing yet")
  meter.recordCommit(operations: 3, microseconds: 900)
  meter.recordCommit(operations: 1, microseconds: 100)
  expectEqual(meter.snapshot.batchSize.sum, 4, "operations")
  expectEqual(meter.snapshot.batchSize.total, 2, "commits")
  expectEqual(meter.snapshot.duration.sum, 1_000, "time")
}
