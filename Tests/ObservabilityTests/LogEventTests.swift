import TestSupport
import Testing

@testable import Observability

@Test func `levels are in order and values may be written as literals`() {
  expectEqual(LogLevel.allCases.sorted(), [.error, .warn, .info, .debug], "order")
  expectEqual(LogLevel.allCases.map(\.word), ["error", "warn", "info", "debug"], "words")
  let values: [(LogValue, LogValue)] = [("a", .text("a")), (1, .integer(1)), (true, .flag(true))]
  for (literal, value) in values { expectEqual(literal, value, "\(value)") }
}
