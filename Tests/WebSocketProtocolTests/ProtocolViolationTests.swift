import TestSupport
import Testing
import WebSocketProtocol

@Suite struct ProtocolViolationTests {
  @Test func `each violation has its close code and a reason that fits a close frame`() {
    let rows: [(ProtocolViolation, CloseCode)] = [
      (.reservedBit, .protocolError), (.unknownOpcode, .protocolError), (.unmaskedFrame, .protocolError), (.maskedFrame, .protocolError),
      (.malformedLength, .protocolError), (.fragmentedControlFrame, .protocolError), (.longControlFrame, .protocolError),
      (.unexpectedContinuation, .protocolError), (.unfinishedMessage, .protocolError), (.shortCloseBody, .protocolError),
      (.invalidCloseCode, .protocolError), (.invalidCloseReason, .invalidPayload), (.invalidText, .invalidPayload),
      (.malformedCompression, .invalidPayload),
      (.messageTooBig(limit: .max), .messageTooBig), (.tooManyFragments(limit: .max), .messageTooBig),
    ]
    for (violation, code) in rows {
      expectEqual(violation.closeCode, code, "\(violation)")
      expect((1...123).contains(violation.reason.utf8.count), "\(violation)")
    }
    expectEqual(Set(rows.map(\.0.reason)).count, rows.count, "reasons differ")
    expectEqual(ProtocolViolation.messageTooBig(limit: 8_192).reason, "a message has at most 8192 bytes")
    expectEqual(ProtocolViolation.tooManyFragments(limit: 64).reason, "a message has at most 64 fragments")
  }
}
