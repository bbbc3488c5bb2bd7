import FuzzSupport
import HTTPProtocol
import Transport

/// Reads what proxies tell of their clients: headers of the PROXY protocol, `Forwarded` and `X-Forwarded-For`.
///
/// The first byte says what the rest is: `f` the value of a `Forwarded`, `x` of an `X-Forwarded-For`, `h` a request's fields, `a`
/// addresses, one a line; else the first bytes of a connection.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  switch input.bytes.first {
  case UInt8(ascii: "f"): checkSpoofing("Forwarded", Array(input.bytes.dropFirst()))
  case UInt8(ascii: "x"): checkSpoofing("X-Forwarded-For", Array(input.bytes.dropFirst()))
  case UInt8(ascii: "h"): checkFields(Array(input.bytes.dropFirst()))
  case UInt8(ascii: "a"):
    _ = input.byte()
    input.parts(at: 10, most: 8).forEach(checkAddress)
  default: checkHeader(Array(input.bytes))
  }
  return 0
}

// MARK: - Addresses

/// Addresses are those of the system, in the same one spelling for IPv4.
private func checkAddress(_ bytes: [UInt8]) {
  let text = String(decoding: bytes, as: UTF8.self)
  let expected: ForwardedAddress? =
    if let ipv4 = IPv4Address(text) { .ipv4(ipv4.bits) } else { IPv6Address(text).map { ForwardedAddress(high: $0.high, low: $0.low) } }
  requireEqual(ForwardedAddress(bytes), expected, "an address for proxies and sockets: \(text)")
}

// MARK: - The PROXY protocol

private func checkHeader(_ bytes: [UInt8]) {
  let outcome = parse(bytes, bytes.count)
  // What is decided stays decided, whatever follows; nothing is decided before.
  let ends = Array(0...min(bytes.count, 300)) + [bytes.count]
  let first = ends.first { parse(bytes, $0) != .incomplete }
  for end in ends where end >= first ?? .max { requireEqual(parse(bytes, end), outcome, "after \(end) bytes and all") }
  let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)
  let isBegun = bytes.starts(with: "PROXY ".utf8) || bytes.starts(with: signature)
  switch outcome {
  case .incomplete:
    let isShort = "PROXY ".utf8.starts(with: bytes) || signature.starts(with: bytes)
    require(isBegun || isShort, "only the beginning of a header is waited for")
    require(bytes.count < 107 || bytes.first == 13 && bytes.count < 16 + 4096, "it is not waited for for ever")
  case .absent: require(!isBegun, "a header is not passed over")
  case .violation(let violation): require(isBegun && !violation.sentence.isEmpty, "a violation is one of a header")
  case .header(let header, let consumed):
    require(isBegun && consumed <= bytes.count, "a header lies in the bytes")
    if bytes.first == 13 {
      requireEqual(consumed, 16 + Int(bytes[14]) * 256 + Int(bytes[15]), "a header has the length that it tells")
    } else {
      checkLine(header, Array(bytes[..<consumed]))
    }
  }
}

private func parse(_ bytes: [UInt8], _ count: Int) -> ProxyHeaderParser.Outcome {
  // Memory of exactly this size, so that the sanitizer sees a step beyond.
  let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
  defer { buffer.deallocate() }
  buffer.copyBytes(from: bytes[..<count])
  return ProxyHeaderParser.parse(UnsafeRawBufferPointer(buffer))
}

/// A line says what its words say.
private func checkLine(_ header: ProxyHeader, _ line: [UInt8]) {
  require(line.count <= 107 && line.suffix(2) == [13, 10], "a line is short and ends")
  let words = String(decoding: line.dropLast(2), as: UTF8.self).split(separator: " ", omittingEmptySubsequences: false).map(String.init)
  switch (header.source, words[1]) {
  case (.unknown, "UNKNOWN"): break
  case (.client(.ipv4(let bits), let port), "TCP4"):
    requireEqual([IPv4Address(bits: bits).description, "\(port)"], [words[2], words[4]], "the client of the line")
  case (.client(let address, let port), "TCP6"):
    let client = required(IPv6Address(words[2]), "an IPv6 address")
    requireEqual(ForwardedAddress(high: client.high, low: client.low), address, "the client of the line")
    requireEqual("\(port)", words[4], "the port of the line")
  default: require(false, "a source is that of the line: \(header)")
  }
}

// MARK: - Forwarded

/// Nobody trusts 192.0.2.7: whatever the client wrote before, it is the client.
private func checkSpoofing(_ name: String, _ value: [UInt8]) {
  let added = name == "Forwarded" ? "for=192.0.2.7;proto=https;host=a.example" : "192.0.2.7"
  for separator in [", ", ",", "\r\n\(name): "] {
    let fields = Array("\(name): ".utf8) + value + Array("\(separator)\(added)\r\n".utf8)
    // A value with a line break, or one over the limit, makes another request.
    guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 9 }), let request = request(fields) else { continue }
    for trust in trusts {
      guard let route = try? ForwardedRoute(request, trusts: trust) else {
        return require(false, "one kind of field cannot contradict itself")
      }
      requireEqual(route.client, .address(.ipv4(0xC000_0207), port: nil), "the client is whom the proxy names, behind \(separator)")
      if name == "Forwarded" { require(route.isSecure == true && route.host == "a.example", "and asked as it says") }
    }
  }
}

private let trusts: [@Sendable (ForwardedAddress) -> Bool] = [
  { _ in false }, { if case .ipv4(let bits) = $0 { bits >> 24 == 10 } else { false } }, { $0 != .ipv4(0xC000_0207) },
]

private func request(_ fields: [UInt8]) -> RequestHead? {
  let bytes = Array("GET /ws HTTP/1.1\r\nHost: a\r\n".utf8) + fields + [13, 10]
  var parser = RequestHeadParser()
  guard case .head(let head, bytes.count) = bytes.withUnsafeBytes({ parser.parse($0) }) else { return nil }
  return head
}

/// Any fields: where nobody is trusted the last element counts, and contradictions need both kinds of field.
private func checkFields(_ fields: [UInt8]) {
  guard let request = request(fields) else { return }
  for trust in trusts {
    do throws(ForwardedRoute.Conflict) {
      let route = try ForwardedRoute(request, trusts: trust)
      if let host = route.host { require(!host.isEmpty && host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a host is visible") }
      if request["forwarded"] == nil, request["x-forwarded-for"] == nil { requireEqual(route.client, .unknown, "nobody is named") }
    } catch {
      require(request["forwarded"] != nil && request["x-forwarded-for"] != nil, "a contradiction needs two")
    }
  }
}
