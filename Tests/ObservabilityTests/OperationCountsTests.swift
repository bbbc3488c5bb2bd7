import TestSupport
import Testing

@testable import Observability

@Test func `requests are counted by method and outcome, and a method that is not there does nothing`() {
  var counts = OperationCounts(methods: 2)
  counts.record(method: 0, .ok, microseconds: 50)
  counts.record(method: 0, .error, microseconds: 200)
  for method in [-1, 2, .max] { counts.record(method: method, .ok, microseconds: 1) }
  expectEqual(OperationOutcome.allCases.map { counts.methods[0].count($0) }, [1, 1], "outcomes")
  expectEqual(counts.methods[0].duration.sum, 250, "time")
  expectEqual(counts.methods[1].duration.total, 0, "the other method")
  expectEqual(OperationOutcome.allCases.map(\.label), ["ok", "error"], "labels")

  var fewer = OperationCounts(methods: 1)
  fewer.merge(counts)
  expectEqual(fewer.methods.count, 1, "methods that are not there are left out")
  expectEqual(fewer.methods[0], counts.methods[0], "the others are added")
  expectEqual(OperationCounts(methods: -1).methods.count, 0, "no negative number")
}
