import TestSupport
import Testing

@testable import Observability

@Test func `a store that did nothing has counted nothing`() {
  let metrics = StoreMetrics()
  expectEqual(metrics.batchSize, Histogram(.count), "sets")
  expectEqual(metrics.duration, Histogram(.duration), "time")
  expectEqual([metrics.failedCommits, metrics.changes, metrics.checkpoints, metrics.failedUpkeep], [0, 0, 0, 0], "counts")
  expectEqual([metrics.databaseBytes, metrics.logBytes, metrics.memoryBytes], [0, 0, 0], "sizes")
}
