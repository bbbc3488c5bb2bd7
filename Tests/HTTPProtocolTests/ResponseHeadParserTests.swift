import HTTPProtocol
import TestSupport
import Testing

@Suite struct ResponseHeadParserTests {
  private func check(_ text: String, _ expected: ResponseHeadParser.Outcome, limits: HTTPLimits = HTTPLimits()) {
    expectOutcome(
      text, expected, text, incomplete: .incomplete, make: { ResponseHeadParser(limits: limits) }, parse: { $0.parse($1) })
  }

  @Test func `a response head is read as it was written`() {
    let head = ResponseHead(status: 101, fields: [HeaderField("Upgrade", "websocket")])
    let text = String(decoding: head.bytes(), as: UTF8.self)
    check(text, .head(head, consumed: text.utf8.count))
    check(text + "\u{1}\u{2}", .head(head, consumed: text.utf8.count))
    check("HTTP/1.0 200\r\n\r\n", .head(ResponseHead(status: 200), consumed: 16))
    check("HTTP/1.1 599 \r\n\r\n", .head(ResponseHead(status: 599), consumed: 17))
    for end in 0..<text.utf8.count { check(String(text.utf8.prefix(end)) ?? "", .incomplete) }
  }

  @Test func `a malformed response is refused at its first bad byte`() {
    let rows: [(String, ResponseViolation)] = [
      ("x", .badStatusLine), ("HTTP/2", .unsupportedVersion), ("HTTP/x", .badStatusLine), ("HTTP/1,", .badStatusLine),
      ("HTTP/1.x", .badStatusLine), ("HTTP/1.1\t", .badStatusLine), ("HTTP/1.1 0", .badStatusLine), ("HTTP/1.1 20\r", .badStatusLine),
      ("HTTP/1.1 2000", .badStatusLine), ("HTTP/1.1 200 O\u{0}", .badStatusLine), ("HTTP/1.1 200 OK\n", .field(.bareLineFeed)),
      ("HTTP/1.1 200 OK\rX", .field(.bareCarriageReturn)), ("HTTP/1.1 200 OK\r\n A", .field(.foldedLine)),
    ]
    for (text, violation) in rows { check(text + "tail", .violation(violation)) }
    check(String("HTTP/1.1 200 OK\r\nA: b"), .violation(.headTooLong), limits: HTTPLimits(maxHeadBytes: 16))
    check("HTTP/1.1 200 OK\r\nA: b\r\nC", .violation(.field(.tooManyFields)), limits: HTTPLimits(maxFields: 1))
  }

  @Test func `a parser takes the next head after one, and nothing after a violation`() {
    var parser = ResponseHeadParser()
    let bytes = ResponseHead(status: 204).bytes()
    for _ in 0..<2 { expectEqual(bytes.withUnsafeBytes { parser.parse($0) }, .head(ResponseHead(status: 204), consumed: bytes.count)) }
    for _ in 0..<2 { expectEqual([UInt8(1)].withUnsafeBytes { parser.parse($0) }, .violation(.badStatusLine)) }
    expectEqual(bytes.withUnsafeBytes { parser.parse($0) }, .violation(.badStatusLine))
  }
}
