import HTTPProtocol
import TestSupport
import Testing

@Suite struct RequestViolationTests {
  @Test func `each reason has its status and a sentence of its own`() {
    var rows: [(RequestViolation.Reason, Int)] = [
      (.badMethod, 400), (.methodTooLong, 501), (.badTarget, 400), (.targetTooLong, 414), (.badRequestLine, 400),
      (.unsupportedVersion, 505),
      (.headTooLong, 431), (.missingHost, 400), (.duplicateHost, 400), (.badHost, 400), (.badContentLength, 400), (.contentTooLarge, 413),
      (.conflictingLengths, 400), (.badTransferEncoding, 400), (.unknownTransferCoding, 501),
    ]
    rows += FieldFault.allCases.map { (.field($0), $0 == .tooManyFields ? 431 : 400) }
    for (reason, status) in rows {
      expectEqual(RequestViolation(reason).status, status, "\(reason)")
      expect(RequestViolation(reason).sentence.hasSuffix("."), "\(reason)")
    }
    expectEqual(Set(rows.map { RequestViolation($0.0).sentence }).count, rows.count, "sentences differ")
  }
}
