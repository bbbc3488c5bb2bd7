import Locks
import TestSupport
import Testing

@testable import Observability

@Test func `only what is important enough reaches the sink, and the level changes for all loggers at once`() {
  let lines = Lock<[LogEvent]>([])
  let made = Lock(0)
  let threshold = LogThreshold(.info)
  let logger = Logger(threshold: threshold, now: { 5 }, sink: { event in lines.withLock { $0.append(event) } })
  let copy = logger

  func message() -> String {
    made.withLock { $0 += 1 }
    return "made"
  }
  for level in LogLevel.allCases { logger.log(level, "first", message(), [LogField("n", 1)]) }
  expectEqual(lines.withLock { $0.map(\.level) }, [.error, .warn, .info], "the level and above")
  expectEqual(made.withLock { $0 }, 3, "a message that is not logged is not made")
  expectEqual(
    lines.withLock { Array($0.prefix(1)) }, [LogEvent(time: 5, level: .error, name: "first", message: "made", fields: [LogField("n", 1)])],
    "the event")

  threshold.set(.error)
  for level in LogLevel.allCases { copy.log(level, "second") }
  expectEqual(lines.withLock { $0.count }, 4, "a copy follows the change")
  threshold.set(.debug)
  copy.log(.debug, "third")
  expectEqual(
    lines.withLock { Array($0.suffix(1)) }, [LogEvent(time: 5, level: .debug, name: "third")], "message and fields may be left out")
}
