import TestSupport
import Testing

@testable import Observability

@Test func `lines are counted by level`() {
  var counts = LogCounts()
  for level in [LogLevel.warn, .warn, .debug] { counts.write(level) }
  expectEqual(LogLevel.allCases.map { counts.lines($0) }, [0, 2, 0, 1], "levels")
}
