import TestSupport
import Testing
import WebSocketProtocol

@Suite struct CloseCodeTests {
  @Test func `only the codes of RFC 6455 and IANA's registry go on the wire`() {
    for value in UInt16.min...UInt16.max {
      let isAllowed = (1000...1014).contains(value) && ![1004, 1005, 1006].contains(value) || (3000...4999).contains(value)
      if CloseCode(rawValue: value).isAllowedOnWire != isAllowed { expectEqual(!isAllowed, isAllowed, "\(value)") }
    }
  }

  @Test func `the names have the numbers of the protocol's table`() {
    let rows: [(CloseCode, UInt16)] = [
      (.normal, 1000), (.goingAway, 1001), (.protocolError, 1002), (.unsupportedData, 1003), (.invalidPayload, 1007),
      (.policyViolation, 1008),
      (.messageTooBig, 1009), (.missingExtension, 1010), (.internalError, 1011), (.serviceRestart, 1012), (.tryAgainLater, 1013),
      (.authenticationTimeout, 4000), (.tokenExpired, 4001), (.badToken, 4002), (.sessionRevoked, 4003), (.slowReader, 4100),
      (.rateLimitAbused, 4101), (.tooManyConnections, 4102),
    ]
    for (code, value) in rows { expectEqual(code.rawValue, value, "\(value)") }
  }
}
