import HTTPProtocol
import TestSupport
import Testing
import WebSocketProtocol

@Suite struct HandshakeViolationTests {
  @Test func `each refusal has its status, its fields and a sentence`() {
    let upgrade = [HeaderField("Upgrade", "websocket"), HeaderField("Sec-WebSocket-Version", "13")]
    let rows: [(HandshakeViolation, Int, [HeaderField])] = [
      (.methodNotAllowed, 405, [HeaderField("Allow", "GET")]), (.oldVersion, 505, []), (.unexpectedBody, 400, []),
      (.missingUpgrade, 426, upgrade), (.missingConnectionUpgrade, 400, []), (.missingVersion, 400, []),
      (.unsupportedVersion, 426, upgrade),
      (.missingKey, 400, []), (.badKey, 400, []), (.badSubprotocols, 400, []),
    ]
    for (violation, status, fields) in rows {
      expectEqual(violation.status, status, "\(violation)")
      expectEqual(violation.fields, fields, "\(violation)")
      expect(violation.sentence.hasSuffix("."), "\(violation)")
    }
    expectEqual(Set(rows.map(\.0.sentence)).count, rows.count, "sentences differ")
  }
}
