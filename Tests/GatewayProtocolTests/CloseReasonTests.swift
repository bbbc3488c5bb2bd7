import GatewayProtocol
import TestSupport
import Testing

@Suite struct CloseReasonTests {
  @Test func `every reason has a text that fits and a code of its own in the documentation`() throws {
    let reasons = CloseReason.allCases
    let documented = try Document.rows(below: ["code", "meaning", "client does"]).flatMap { $0[0].split(separator: ", ") }.map { Int($0) }
    for reason in reasons {
      expect((1...123).contains(reason.text.utf8.count), reason.text)
      expect(documented.contains(Int(reason.code)), "\(reason.code)")
    }
    let advised = reasons.filter { $0.text.contains("; retry_after_ms=") }.map(\.code)
    expectEqual(advised, [1013, 4100, 4101, 4102], "who is told to back off hears for how long")
    let longest = CloseReason.restart.text(retryAfterMs: .max)
    expect(longest.hasSuffix("; retry_after_ms=9223372036854775807") && longest.utf8.count <= 123, longest)
    expectEqual(CloseReason.restart.text, CloseReason.restart.text(retryAfterMs: nil), "a restart's time is each connection's own")
    expectEqual(Set(reasons.map(\.code)).count, reasons.count)
    expectEqual(Set(reasons.map(\.text)).count, reasons.count)
    // The rest is RFC 6455's: the page that leaves, frames that break its rules, and messages over its limits.
    expectEqual(Set(documented).subtracting(reasons.map { Int($0.code) }), [1001, 1002, 1009])
  }
}
