import HTTPProtocol
import TestSupport
import Testing

/// Headers of version 2, put together byte by byte.
enum BinaryProxyHeader {
  static let signature: [UInt8] = [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10]

  static func bytes(_ command: UInt8, _ family: UInt8, _ payload: [UInt8], announced: Int? = nil) -> [UInt8] {
    let length = announced ?? payload.count
    return signature + [command, family, UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length)] + payload
  }

  static func tlv(_ type: UInt8, _ value: [UInt8]) -> [UInt8] { [type, UInt8(value.count >> 8), UInt8(value.count & 0xFF)] + value }

  /// 192.0.2.1:56324 to 198.51.100.9:443.
  static let ipv4: [UInt8] = [192, 0, 2, 1, 198, 51, 100, 9, 0xDC, 0x04, 0x01, 0xBB]
  /// 2001:db8::7, port 4660, to ::1, port 1.
  static let ipv6: [UInt8] =
    [0x20, 0x01, 0x0D, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7] + [UInt8](repeating: 0, count: 15) + [1, 0x12, 0x34, 0, 1]
}

@Suite struct ProxyHeaderParserTests {
  typealias Outcome = ProxyHeaderParser.Outcome

  private static func parse(_ bytes: some Collection<UInt8>) -> Outcome {
    Array(bytes).withUnsafeBytes(ProxyHeaderParser.parse)
  }

  /// Whole, with bytes of the client behind, and at every length: what is known stays, and nothing is known too early.
  private static func check(_ header: [UInt8], _ expected: Outcome, _ name: String) {
    expectEqual(parse(header), expected, name)
    for behind in [[UInt8]("GET / HTTP/1.1\r\n".utf8), [0x16, 3, 1], header] where expected != .incomplete {
      expectEqual(parse(header + behind), expected, "\(name), with bytes behind")
    }
    var known: Outcome?
    for count in 0...header.count {
      let outcome = parse(header.prefix(count))
      if let known { expectEqual(outcome, known, "\(name), still so after \(count) bytes") }
      if outcome != .incomplete { known = outcome }
    }
    expectEqual(known ?? .incomplete, expected, "\(name), byte by byte")
    if case .header(_, let consumed) = expected {
      expectEqual(consumed, header.count, "\(name), its length")
      for count in 0..<header.count { expectEqual(parse(header.prefix(count)), .incomplete, "\(name), only \(count) bytes") }
    }
  }

  @Test func `lines of version 1 are read, whole and in pieces`() {
    let client = ProxyHeader.Source.client
    let longest = "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"
    let rows: [(String, ProxyHeader.Source)] = [
      ("PROXY TCP4 192.0.2.1 198.51.100.9 56324 443", client(.ipv4(0xC000_0201), 56_324)),
      ("PROXY TCP4 0.0.0.0 255.255.255.255 0 65535", client(.ipv4(0), 0)),
      ("PROXY TCP6 2001:db8::7 ::1 4660 1", client(.ipv6(high: 0x2001_0DB8_0000_0000, low: 7), 4_660)),
      ("PROXY TCP6 ::ffff:192.0.2.1 ::1 1 1", client(.ipv4(0xC000_0201), 1)),
      ("PROXY TCP6 \(longest) \(longest) 65535 65535", client(.ipv6(high: .max, low: .max), 65_535)),
      ("PROXY UNKNOWN", .unknown), ("PROXY UNKNOWN ", .unknown), ("PROXY UNKNOWN \(longest) \(longest) 65535 65535", .unknown),
      ("PROXY UNKNOWN what ever ~ it says", .unknown),
    ]
    for (text, source) in rows {
      let bytes = Array("\(text)\r\n".utf8)
      Self.check(bytes, .header(ProxyHeader(source: source), consumed: bytes.count), text)
    }
    let longestLine = "PROXY UNKNOWN \(String(repeating: "x", count: 91))\r\n"
    expectEqual(longestLine.utf8.count, 107, "the longest line")
    Self.check(Array(longestLine.utf8), .header(ProxyHeader(source: .unknown), consumed: 107), "107 bytes")
    let oneMore = Array("PROXY UNKNOWN \(String(repeating: "x", count: 92))\r\n".utf8)
    Self.check(oneMore, .violation(.lineTooLong), "108 bytes")
    expectEqual(Self.parse(oneMore.prefix(105)), .incomplete, "it may still end")
    expectEqual(Self.parse(oneMore.prefix(106)), .violation(.lineTooLong), "it can end no more")
    Self.check(Array("PROXY ".utf8) + [UInt8](repeating: 0x61, count: 1_000), .violation(.lineTooLong), "a line without end")
  }

  @Test func `malformed lines are refused`() {
    let rows = [
      "PROXY \r\n", "PROXY TCP4\r\n", "PROXY TCP5 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY tcp4 192.0.2.1 192.0.2.2 1 2\r\n",
      "PROXY UNKNOWNX\r\n", "PROXY  TCP4 192.0.2.1 192.0.2.2 1 2\r\n", "PROXY TCP4  192.0.2.1 192.0.2.2 1 2\r\n",
      "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 \r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1 2 3\r\n",
      "PROXY TCP4 ::1 192.0.2.2 1 2\r\n", "PROXY TCP4 192.0.2.1 ::1 1 2\r\n", "PROXY TCP6 192.0.2.1 ::1 1 2\r\n",
      "PROXY TCP6 ::1 192.0.2.1 1 2\r\n", "PROXY TCP4 192.0.2.256 192.0.2.2 1 2\r\n", "PROXY TCP4 192.0.2.01 192.0.2.2 1 2\r\n",
      "PROXY TCP4 192.0.2.1 192.0.2.2 65536 2\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1 65536\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 01 2\r\n",
      "PROXY TCP4 192.0.2.1 192.0.2.2 -1 2\r\n", "PROXY TCP4 192.0.2.1 192.0.2.2 1 \r\n", "PROXY TCP6 [::1] ::1 1 2\r\n",
      "PROXY UNKNOWN\n", "PROXY UNKNOWN\rx", "PROXY UNKNOWN\u{0}\r\n", "PROXY UNKNOWN\t\r\n", "PROXY UNKNOWN \u{7F}\r\n",
      "PROXY \u{E9}\r\n",
      "PROXY TCP4 192.0.2.1 192.0.2.2 1 2\n",
    ]
    for text in rows { Self.check(Array(text.utf8), .violation(.badLine), text) }
  }

  @Test func `what is no header is the client's own`() {
    let rows: [[UInt8]] = [
      [UInt8]("GET / HTTP/1.1\r\n\r\n".utf8), [UInt8]("PROXYTCP4".utf8), [UInt8]("proxy ".utf8), [UInt8]("POST ".utf8), [0x16, 3, 1], [0],
      [UInt8]("\r\nGET ".utf8), [UInt8]("\r\n\r\n\r\n".utf8), [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 13], [0x0A],
    ]
    for bytes in rows { expectEqual(Self.parse(bytes), .absent, "\(bytes)") }
    for bytes in [[], [UInt8]("P".utf8), [UInt8]("PROXY".utf8), [13], Array(BinaryProxyHeader.signature.prefix(11))] as [[UInt8]] {
      expectEqual(Self.parse(bytes), .incomplete, "\(bytes) can become one")
    }
  }

  @Test func `headers of version 2 are read, whole and in pieces`() {
    typealias Header = BinaryProxyHeader
    let ann = ProxyHeader.Source.client(.ipv4(0xC000_0201), port: 56_324)
    let bea = ProxyHeader.Source.client(.ipv6(high: 0x2001_0DB8_0000_0000, low: 7), port: 4_660)
    let mapped = [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF, 192, 0, 2, 1] + Header.ipv6.dropFirst(16)
    let tls = { (flags: UInt8) in Header.tlv(0x20, [flags, 0, 0, 0, 0] + Header.tlv(0x21, [0x54, 0x4C, 0x53])) }
    let long = Header.tlv(0xEA, [UInt8](repeating: 7, count: 4_081))
    let rows: [(String, [UInt8], ProxyHeader.Source, isSecure: Bool?)] = [
      ("IPv4", Header.bytes(0x21, 0x11, Header.ipv4), ann, nil), ("IPv4, datagrams", Header.bytes(0x21, 0x12, Header.ipv4), ann, nil),
      ("IPv6", Header.bytes(0x21, 0x21, Header.ipv6), bea, nil), ("IPv6, datagrams", Header.bytes(0x21, 0x22, Header.ipv6), bea, nil),
      ("a mapped address", Header.bytes(0x21, 0x21, mapped), .client(.ipv4(0xC000_0201), port: 4_660), nil),
      ("a unix socket", Header.bytes(0x21, 0x31, [UInt8](repeating: 1, count: 216)), .unknown, nil),
      ("a unix socket, datagrams", Header.bytes(0x21, 0x32, [UInt8](repeating: 1, count: 216)), .unknown, nil),
      ("no family", Header.bytes(0x21, 0x00, []), .unknown, nil),
      ("no family, and bytes", Header.bytes(0x21, 0x00, [1, 2, 3]), .unknown, nil),
      ("a health check", Header.bytes(0x20, 0x00, []), .proxy, nil),
      ("a health check, anything", Header.bytes(0x20, 0x99, [1]), .proxy, nil),
      ("a health check, addresses", Header.bytes(0x20, 0x11, Header.ipv4), .proxy, nil),
      ("padding", Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0x04, [])), ann, nil),
      ("unknown extensions", Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0xEA, [1]) + Header.tlv(0x02, [0x61])), ann, nil),
      ("TLS", Header.bytes(0x21, 0x11, Header.ipv4 + tls(0x01)), ann, true),
      ("no TLS", Header.bytes(0x21, 0x21, Header.ipv6 + tls(0x06)), bea, false),
      ("as long as may be", Header.bytes(0x21, 0x11, Header.ipv4 + long), ann, nil),
    ]
    for (name, bytes, source, isSecure) in rows {
      Self.check(bytes, .header(ProxyHeader(source: source, isSecure: isSecure), consumed: bytes.count), name)
    }
    // The checksum of this header as another implementation computes it.
    let sum: [UInt8] = [0xFD, 0x1C, 0x3E, 0x68]
    let checked = Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0x03, sum))
    Self.check(checked, .header(ProxyHeader(source: ann), consumed: checked.count), "a checksum")
    Self.check(Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0x03, [0, 0, 0, 0])), .violation(.badChecksum), "a wrong checksum")
  }

  @Test func `headers of version 2 that are none are refused as soon as that is sure`() {
    typealias Header = BinaryProxyHeader
    let rows: [(String, [UInt8], ProxyHeaderViolation)] = [
      ("version 1", Header.signature + [0x11], .badVersion), ("version 3", Header.signature + [0x31], .badVersion),
      ("another command", Header.signature + [0x22], .badVersion), ("no version", Header.signature + [0x00], .badVersion),
      ("a family without transport", Header.bytes(0x21, 0x10, Header.ipv4), .badFamily),
      ("a transport without family", Header.bytes(0x21, 0x01, []), .badFamily),
      ("an unknown transport", Header.bytes(0x21, 0x13, Header.ipv4), .badFamily),
      ("an unknown family", Header.bytes(0x21, 0x41, Header.ipv4), .badFamily),
      ("IPv4, a byte short", Header.bytes(0x21, 0x11, Array(Header.ipv4.dropLast())), .tooShort),
      ("IPv4, nothing", Header.bytes(0x21, 0x11, []), .tooShort), ("IPv6 as IPv4", Header.bytes(0x21, 0x21, Header.ipv4), .tooShort),
      ("a unix socket, a byte short", Header.bytes(0x21, 0x31, [UInt8](repeating: 0, count: 215)), .tooShort),
      ("too long", Header.bytes(0x21, 0x11, [], announced: 4_097), .tooLong),
      ("absurd", Header.bytes(0x21, 0x11, [], announced: 65_535), .tooLong),
      ("absurd, a health check", Header.bytes(0x20, 0x00, [], announced: 65_535), .tooLong),
      ("a byte of garbage", Header.bytes(0x21, 0x11, Header.ipv4 + [0]), .badExtension),
      ("two bytes of garbage", Header.bytes(0x21, 0x11, Header.ipv4 + [0, 0]), .badExtension),
      ("an extension cut off", Header.bytes(0x21, 0x11, Header.ipv4 + [0xEA, 0, 2, 1]), .badExtension),
      ("an extension of 65535", Header.bytes(0x21, 0x11, Header.ipv4 + [0xEA, 0xFF, 0xFF, 1]), .badExtension),
      ("a checksum of three bytes", Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0x03, [1, 2, 3])), .badExtension),
      ("TLS of four bytes", Header.bytes(0x21, 0x11, Header.ipv4 + Header.tlv(0x20, [1, 0, 0, 0])), .badExtension),
    ]
    for (name, bytes, violation) in rows { Self.check(bytes, .violation(violation), name) }
    expectEqual(
      Self.parse(Header.bytes(0x21, 0x11, Array(Header.ipv4.dropLast()), announced: 12)), .incomplete, "more is announced than came")
    let sentences = ProxyHeaderViolation.allCases.map(\.sentence)
    expect(Set(sentences).count == sentences.count && sentences.allSatisfy { $0.hasSuffix(".") }, "each has a sentence")
  }
}
