import HTTPProtocol
import TestSupport
import Testing

@Suite struct RequestHeadParserTests {
  private func check(
    _ text: String, _ expected: RequestHeadParser.Outcome, _ name: String? = nil, limits: HTTPLimits = HTTPLimits()
  ) {
    expectOutcome(
      text, expected, name ?? text, incomplete: .incomplete, make: { RequestHeadParser(limits: limits) }, parse: { $0.parse($1) })
  }

  private func head(_ text: String) -> RequestHead? {
    var parser = RequestHeadParser()
    switch Array(text.utf8).withUnsafeBytes({ parser.parse($0) }) {
    case .head(let head, _): return head
    case .incomplete, .violation: return nil
    }
  }

  @Test func `a request is taken apart`() throws {
    let text = "GET /ws?token=a%20b?c HTTP/1.1\r\nHost: chat.example:8080\r\nX-Empty:\r\nX-Two:  a b \t\r\nx-two: c\r\n\r\n"
    let expected = RequestHead(
      target: "/ws?token=a%20b?c", path: "/ws", query: "token=a%20b?c", host: "chat.example:8080",
      fields: [
        HeaderField("Host", "chat.example:8080"), HeaderField("X-Empty", ""), HeaderField("X-Two", "a b"), HeaderField("x-two", "c"),
      ])
    check(text, .head(expected, consumed: text.utf8.count))
    check(text + "\u{81}\u{5}more", .head(expected, consumed: text.utf8.count), "frames behind the head")
    check("\r\n\r\n" + text, .head(expected, consumed: text.utf8.count + 4), "empty lines before the head")
    for end in 0..<text.utf8.count { check(String(text.unicodeScalars.prefix(end)), .incomplete, "only \(end) bytes") }
  }

  @Test func `the forms of a target`() {
    let rows: [(line: String, path: String, query: String?, host: String)] = [
      ("GET /", "/", nil, "h"), ("GET /?", "/", "", "h"), ("GET //a/..%2f", "//a/..%2f", nil, "h"),
      ("GET http://Other:81/x?y", "/x", "y", "Other:81"), ("GET HTTPS://o", "/", nil, "o"), ("GET http://o?q", "/", "q", "o"),
      ("OPTIONS *", "*", nil, "h"), ("GET /a|b{}^`\\", "/a|b{}^`\\", nil, "h"), ("GET http://[::1]:8/", "/", nil, "[::1]:8"),
    ]
    for row in rows {
      let head = head("\(row.line) HTTP/1.1\r\nHost: h\r\n\r\n")
      expectEqual(head?.path, row.path, row.line)
      expectEqual(head?.query, row.query, row.line)
      expectEqual(head?.host, row.host, row.line)
    }
    for target in ["*", "x", "http:/x", "http://", "http:///x", "http://u@h/", "ftp://h/", "h:80", "/%", "/%1", "/%zz", "/a%2", "?q"] {
      check("GET \(target) HTTP/1.1\r\n", .violation(RequestViolation(.badTarget)))
    }
  }

  @Test func `a malformed request line is refused at its first bad byte`() {
    let rows: [(String, RequestViolation.Reason)] = [
      ("\u{16}", .badMethod), (" ", .badMethod), ("GE\u{0}", .badMethod), ("GET\r", .badMethod), ("GET\t", .badMethod),
      ("\u{0}", .badMethod),
      ("G@", .badMethod), ("\n", .field(.bareLineFeed)), ("\rG", .field(.bareCarriageReturn)),
      (String(repeating: "M", count: 25), .methodTooLong),
      ("GET /\r", .badRequestLine), ("GET /\n", .field(.bareLineFeed)), ("GET /\u{0}", .badTarget), ("GET /é", .badTarget),
      ("GET /a#", .badTarget), ("GET /\"", .badTarget), ("GET /<", .badTarget), ("GET />", .badTarget), ("GET /\t", .badTarget),
      ("GET / x", .badRequestLine), ("GET /  ", .badRequestLine), ("GET / HTTP/x", .badRequestLine), ("GET / HTTP/1,", .badRequestLine),
      ("GET / HTTP/1.x", .badRequestLine), ("GET / HTTP/1.1 ", .badRequestLine), ("GET / HTTP/1.10", .badRequestLine),
      ("GET / HTTP/1.1\n", .field(.bareLineFeed)), ("GET / HTTP/1.1\rH", .field(.bareCarriageReturn)), ("GET / h", .badRequestLine),
      ("PRI * HTTP/2", .unsupportedVersion), ("GET / HTTP/0", .unsupportedVersion), ("GET / HTTP/9", .unsupportedVersion),
      ("GET  HTTP/1.1\r\n", .badTarget),
    ]
    for (text, reason) in rows { check(text + "tail", .violation(RequestViolation(reason)), text) }
    // The byte before is not wrong yet.
    for (text, _) in rows where !text.hasSuffix("\r\n") {
      check(String(text.unicodeScalars.dropLast()), .incomplete, "before the end of \(text)")
    }
  }

  @Test func `malformed fields are refused at their first bad byte`() {
    let rows: [(String, RequestViolation.Reason)] = [
      ("Host : ", .field(.spaceBeforeColon)), ("Host\t", .field(.spaceBeforeColon)), ("Host\r", .field(.badName)), (":", .field(.badName)),
      ("H(", .field(.badName)), ("Hé", .field(.badName)), ("\u{0}", .field(.badName)), (" folded", .field(.foldedLine)),
      ("A: b\r\n\tc", .field(.foldedLine)), ("\n", .field(.bareLineFeed)), ("A: b\n", .field(.bareLineFeed)),
      ("A: b\rc", .field(.bareCarriageReturn)), ("\rA", .field(.bareCarriageReturn)), ("A: \u{0}", .field(.badValue)),
      ("A: \u{1B}", .field(.badValue)), ("A: \u{7F}", .field(.badValue)),
      ("\r\n", .missingHost), ("Host: a\r\nhost: a\r\n", .duplicateHost), ("Host: a b\r\n", .badHost), ("Host: a/b\r\n", .badHost),
      ("Host: a@b\r\n", .badHost), ("Host: |\r\n", .badHost), ("Host: a:8b\r\n", .badHost), ("Host: a:80:\r\n", .badHost),
      ("Host: [::1\r\n", .badHost), ("Host: [::1]a\r\n", .badHost), ("Host: a]\r\n", .badHost), ("Host: [/]\r\n", .badHost),
      ("Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", .conflictingLengths),
      ("Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", .conflictingLengths),
      ("Content-Length: 5\r\nContent-Length: 6\r\n", .badContentLength),
      ("Content-Length: 5, 5\r\n", .badContentLength), ("Content-Length: -1\r\n", .badContentLength),
      ("Content-Length: +1\r\n", .badContentLength),
      ("Content-Length:\r\n", .badContentLength), ("Content-Length: 0x1\r\n", .badContentLength),
      ("Content-Length: \u{0669}\r\n", .badContentLength),
      ("Content-Length: 9223372036854775808\r\n", .contentTooLarge), ("Transfer-Encoding: gzip, chunked\r\n", .unknownTransferCoding),
      ("Transfer-Encoding: \r\n", .badTransferEncoding),
      ("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", .badTransferEncoding),
    ]
    for (text, reason) in rows {
      check("GET / HTTP/1.1\r\n\(text)tail", .violation(RequestViolation(reason)), text)
    }
    check("GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n", .violation(RequestViolation(.badTransferEncoding)))
  }

  @Test func `limits hold while the bytes arrive`() {
    let limits = HTTPLimits(maxHeadBytes: 64, maxTargetBytes: 8, maxFields: 2)
    check("GET /1234567 ", .incomplete, limits: limits)
    check("GET /12345678", .violation(RequestViolation(.targetTooLong)), limits: limits)
    check("GET / HTTP/1.1\r\nA: 1\r\nB: 2\r\nC", .violation(RequestViolation(.field(.tooManyFields))), limits: limits)
    let start = "GET / HTTP/1.1\r\nHost: "
    check(start + String(repeating: "a", count: 64 - start.utf8.count), .incomplete, limits: limits)
    check(start + String(repeating: "a", count: 65 - start.utf8.count), .violation(RequestViolation(.headTooLong)), limits: limits)
    let padding = String(repeating: "a", count: 60 - start.utf8.count)
    check(
      start + padding + "\r\n\r\n",
      .head(
        RequestHead(target: "/", host: padding, fields: [HeaderField("Host", padding)]), consumed: 64), limits: limits)
    let fields = (0..<2_000).map { "X-\($0): \($0)\r\n" }.joined()
    check("GET / HTTP/1.1\r\nHost: h\r\n" + fields, .violation(RequestViolation(.field(.tooManyFields))), "2,000 fields")
    check(
      "GET / HTTP/1.1\r\nHost: h\r\nA: " + String(repeating: "b", count: 65_536), .violation(RequestViolation(.headTooLong)),
      "a field of 64 KiB")
    check(String(repeating: "\r\n", count: 9_000), .violation(RequestViolation(.headTooLong)), "empty lines for ever")
  }

  @Test func `what a head says about body and connection`() throws {
    let rows: [(String, body: RequestHead.Body, keepsAlive: Bool)] = [
      ("GET / HTTP/1.1\r\nHost: h\r\n", .none, true), ("GET / HTTP/1.0\r\n", .none, false),
      ("GET / HTTP/1.0\r\nConnection: keep-alive\r\n", .none, false),
      ("GET / HTTP/1.1\r\nHost: h\r\nConnection: x, Close\r\n", .none, false),
      ("GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n", .none, true),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\n", .length(12), true),
      ("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 12\r\nContent-Length: 12\r\n", .length(12), true),
      ("POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: Chunked\r\n", .chunked, true), ("GET / HTTP/1.7\r\nHost:\r\n", .none, true),
    ]
    for row in rows {
      let head = head(row.0 + "\r\n")
      expectEqual(head?.body, row.body, row.0)
      expectEqual(head?.keepsAlive, row.keepsAlive, row.0)
    }
  }

  @Test func `a parser takes the next head after one, and nothing after a violation`() {
    var parser = RequestHeadParser()
    let text = Array("GET /a HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
    for _ in 0..<2 {
      let outcome = text.withUnsafeBytes { parser.parse($0) }
      expectEqual(outcome, .head(RequestHead(target: "/a", host: "h", fields: [HeaderField("Host", "h")]), consumed: text.count))
    }
    let violation = RequestHeadParser.Outcome.violation(RequestViolation(.badMethod))
    expectEqual(Array("\u{16}".utf8).withUnsafeBytes { parser.parse($0) }, violation)
    expectEqual(text.withUnsafeBytes { parser.parse($0) }, violation, "good bytes behind a violation")
  }
}
