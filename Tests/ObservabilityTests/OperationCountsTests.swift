import TestSupport
import Testing

@testable import Observability

@Test func `requests are counted by method and outcome, and a method that is not there is another`() {
  var counts = OperationCounts(methods: 2)
  for outcome in OperationOutcome.allCases { counts.record(method: 0, outcome, microseconds: 50) }
  counts.record(method: 0, .refused, microseconds: 200)
  for method in [-1, 2, .max, nil] { counts.record(method: method, .ok, microseconds: 1) }
  expectEqual(OperationOutcome.allCases.map { counts.methods[0].count($0) }, [1, 2, 1, 1, 1, 1], "outcomes")
  expectEqual(counts.methods[0].duration.sum, 500, "time")
  expectEqual(counts.methods[1].duration.total, 0, "the other method")
  expectEqual(counts.methods.count, 3, "no method is made")
  expectEqual(counts.methods[2].count(.ok), 4, "those that are not there")
  expectEqual(
    OperationOutcome.allCases.map(\.label), ["ok", "refused", "limited", "unavailable", "cancelled", "failed"], "labels")
  expectEqual(OperationOutcome.allCases.map(\.rawValue), Array(0..<6), "raw values are indexes")

  var fewer = OperationCounts(methods: 1)
  fewer.merge(counts)
  expectEqual(fewer, OperationCounts(methods: 1), "other indexes are left out")
  var twice = counts
  twice.merge(counts)
  expectEqual(twice.methods[0].count(.refused), 4, "added")
  expectEqual(OperationCounts(methods: -1).methods.count, 1, "no negative number")
}
