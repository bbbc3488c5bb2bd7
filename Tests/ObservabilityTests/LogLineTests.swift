import TestSupport
import Testing

@testable import Observability

private let noon: Int64 = 1_796_040_000_000

@Test func `a line for people`() {
  let cases: [(LogEvent, String)] = [
    (
      LogEvent(time: noon, level: .info, name: "listening", fields: [LogField("address", "127.0.0.1:8080")]),
      "2026-11-30T12:00:00.000Z info  listening  address=127.0.0.1:8080"
    ),
    (
      LogEvent(
        time: noon, level: .error, name: "failed", message: "the disk is full", fields: [LogField("code", 28), LogField("fatal", true)]),
      "2026-11-30T12:00:00.000Z error failed  the disk is full  code=28 fatal=true"
    ),
    (LogEvent(time: noon, level: .warn, name: "bare"), "2026-11-30T12:00:00.000Z warn  bare"),
    (
      LogEvent(
        time: noon, level: .debug, name: "odd", message: "two\nlines",
        fields: [LogField("a", "b c"), LogField("d", ""), LogField("e", "f=\"g\""), LogField("h", "\u{1B}[31m"), LogField("i", "j\\k")]),
      "2026-11-30T12:00:00.000Z debug odd  two\\u000alines  a=\"b c\" d=\"\" e=\"f=\\\"g\\\"\" h=\"\\u001b[31m\" i=\"j\\\\k\""
    ),
  ]
  for (event, line) in cases { expectEqual(LogLine.text(event), line, event.name) }
}

@Test func `a line for collectors`() {
  let start = "{\"time\":\"2026-11-30T12:00:00.000Z\",\"level\":"
  let cases: [(LogEvent, String)] = [
    (LogEvent(time: noon, level: .info, name: "bare"), start + "\"info\",\"event\":\"bare\"}"),
    (
      LogEvent(
        time: noon, level: .warn, name: "closed", message: "a \"b\" \\ c",
        fields: [LogField("connection", 7), LogField("clean", false), LogField("user", "é\u{2028}\u{202E}\n"), LogField("time", "x")]),
      start + "\"warn\",\"event\":\"closed\",\"message\":\"a \\\"b\\\" \\\\ c\",\"connection\":7,\"clean\":false,"
        + "\"user\":\"é\\u2028\\u202e\\u000a\",\"time_\":\"x\"}"
    ),
  ]
  for (event, line) in cases { expectEqual(LogLine.json(event), line, event.name) }
}

@Test func `a long text of a field is cut, for clients choose some of them`() {
  let field = { (count: Int) in [LogField("host", .text(String(repeating: "é", count: count)))] }
  let event = { LogEvent(time: noon, level: .info, name: "refused", message: String(repeating: "m", count: 300), fields: field($0)) }
  for (count, shown) in [(256, String(repeating: "é", count: 256)), (257, String(repeating: "é", count: 256) + "…")] {
    expect(LogLine.text(event(count)).hasSuffix("  host=\(shown)"), "\(count) in a text")
    expect(LogLine.json(event(count)).hasSuffix("\"host\":\"\(shown)\"}"), "\(count) in JSON")
  }
  expect(LogLine.text(event(1)).contains(String(repeating: "m", count: 300)), "our own sentences are not")
}
