import Observability
import TestSupport
import Testing

@Suite struct FileCountsTests {
  @Test func `files are counted by direction and outcome`() {
    var counts = LoopMetrics(methods: 0, topicKinds: 0)
    var other = LoopMetrics(methods: 0, topicKinds: 0)
    for direction in FileCounts.Direction.allCases {
      for (index, outcome) in FileCounts.Outcome.allCases.enumerated() {
        for _ in 0...index { counts.files.end(direction, outcome) }
        other.files.end(direction, outcome)
      }
      counts.files.move(direction, bytes: 5)
      other.files.move(direction, bytes: 7)
    }
    counts.merge(other)
    for direction in FileCounts.Direction.allCases {
      for (index, outcome) in FileCounts.Outcome.allCases.enumerated() {
        expectEqual(counts.files.count(direction, outcome), UInt64(index + 2), "\(direction.label) \(outcome.label)")
      }
      expectEqual(counts.files.bytes(direction), 12, direction.label)
    }
  }
}
