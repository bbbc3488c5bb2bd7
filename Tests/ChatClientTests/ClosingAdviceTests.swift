import ChatSDK
import TestSupport
import Testing

@testable import ChatClient

@Suite struct ClosingAdviceTests {
  /// What is advised, in a word.
  private func advice(_ end: LinkEnd) -> String {
    switch ClosingAdvice(after: end) {
    case .stop: "stop"
    case .backOff(let least): "back off \(least)"
    case .renewToken: "new token"
    case .atOnce: "at once"
    }
  }

  @Test func `every code is followed as the protocol says`() {
    let codes: [([UInt16], String)] = [
      ([1000, 1002, 1003, 1007, 1009, 4000, 4002, 4003, 4050, 4099], "stop"), ([4001], "new token"), ([4200, 4299], "at once"),
      ([1001, 1005, 1006, 1008, 1011, 1012, 1013, 3000, 4100, 4101, 4102, 4199, 4300], "back off 0"),
    ]
    for (group, expected) in codes { for code in group { expectEqual(advice(.closed(code: code, reason: "why")), expected, "\(code)") } }
    for (status, expected) in [(401, "stop"), (403, "stop"), (404, "stop"), (429, "back off 1000"), (503, "back off 1000")] {
      expectEqual(advice(.refused(status: status)), expected, "\(status)")
    }
    expectEqual(advice(.broken("x")), "back off 0")
    expectEqual(advice(.insecure("x")), "stop")
    for (reason, expected) in [
      ("full; retry_after_ms=1500", "back off 1500"), ("; retry_after_ms=-1", "back off 0"), ("; retry_after_ms=x", "back off 0"),
      ("; retry_after_ms=99999999", "back off 3600000"),
    ] { expectEqual(advice(.closed(code: 1013, reason: reason)), expected) }
  }

  @Test func `times double up to a bound and are drawn from their whole range`() {
    var pace = ReconnectPace()
    expectEqual((0..<6).map { _ in pace.next(random: 1, atLeastMs: 0) }, [2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
    expectEqual(pace.next(random: 0, atLeastMs: 0), 0)
    expectEqual(pace.next(random: 0.5, atLeastMs: 0), 15_000)
    expectEqual(pace.next(random: 0.5, atLeastMs: 20_000), 20_000)
    pace.succeeded()
    expectEqual(pace.next(random: 7, atLeastMs: 0), 2_000)
  }
}
