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
    expectEqual(Set(reasons.map(\.code)).count, reasons.count)
    expectEqual(Set(reasons.map(\.text)).count, reasons.count)
    // The rest is RFC 6455's: the page that leaves, frames that break its rules, and messages over its limits.
    expectEqual(Set(documented).subtracting(reasons.map { Int($0.code) }), [1001, 1002, 1009])
  }
}
