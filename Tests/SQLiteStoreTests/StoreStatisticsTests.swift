import Observability
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `the metrics page is shown what the writer counted`() {
  var statistics = StoreStatistics()
  statistics.setsPerGroup.observe(3)
  statistics.commitMicroseconds.observe(900)
  statistics.failedGroups = 2
  var expected = StoreMetrics()
  expected.batchSize.observe(3)
  expected.duration.observe(900)
  expected.failedCommits = 2
  expectEqual(statistics.metrics, expected, "metrics")
}
