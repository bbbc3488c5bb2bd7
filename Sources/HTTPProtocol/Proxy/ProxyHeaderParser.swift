/// Reads a header of the PROXY protocol where one may stand: before everything else, TLS too.
///
/// It keeps no state: each call gets all bytes from the first on. That costs little, as a line has at most 107 bytes, and the other version
/// says at its 16th byte how many there are.
package enum ProxyHeaderParser {
  /// What the bytes so far amount to.
  package enum Outcome: Equatable, Sendable {
    /// More bytes are needed to tell.
    case incomplete
    /// No such header: the bytes are the client's own.
    case absent
    /// A header in the first `consumed` bytes.
    case header(ProxyHeader, consumed: Int)
    /// The beginning of a header, and no byte that follows makes it a good one.
    case violation(ProxyHeaderViolation)
  }

  /// The most bytes of a line of version 1, with CR LF (`proxy-protocol.txt` §2.1).
  package static let maxLineBytes = 107
  /// The most bytes that version 2 may announce behind its first 16.
  ///
  /// The longest addresses have 216; the rest is for TLVs, of which the specification asks receivers to take 536 bytes in all.
  package static let maxAnnouncedBytes = 4_096

  /// Looks for a header at the start of a connection.
  ///
  /// - Parameter bytes: All that came.
  package static func parse(_ bytes: UnsafeRawBufferPointer) -> Outcome {
    do throws(ProxyHeaderViolation) {
      if begins(bytes, like: line) { return bytes.count < line.count ? .incomplete : try parseLine(bytes) }
      if begins(bytes, like: signature) { return bytes.count < signature.count ? .incomplete : try parseBinary(bytes) }
      return .absent
    } catch { return .violation(error) }
  }

  private static let line = Array("PROXY ".utf8)
  private static let signature = Array("\r\n\r\n\0\r\nQUIT\n".utf8)

  /// Whether bytes and a beginning agree as far as both go.
  private static func begins(_ bytes: UnsafeRawBufferPointer, like beginning: [UInt8]) -> Bool {
    zip(bytes, beginning).allSatisfy { $0 == $1 }
  }

  // MARK: - Version 1

  private static func parseLine(_ bytes: UnsafeRawBufferPointer) throws(ProxyHeaderViolation) -> Outcome {
    let text = bytes.prefix(maxLineBytes - 1).prefix { $0 >= ASCII.space && $0 < 0x7F }
    guard text.endIndex < maxLineBytes - 1 else { throw .lineTooLong }
    guard text.endIndex < bytes.count else { return .incomplete }
    guard bytes[text.endIndex] == ASCII.carriageReturn else { throw .badLine }
    guard text.endIndex + 1 < bytes.count else { return .incomplete }
    guard bytes[text.endIndex + 1] == ASCII.lineFeed else { throw .badLine }
    let source = try source(ofLine: text.split(separator: ASCII.space, omittingEmptySubsequences: false).map(Array.init))
    return .header(ProxyHeader(source: source), consumed: text.endIndex + 2)
  }

  private static func source(ofLine words: [[UInt8]]) throws(ProxyHeaderViolation) -> ProxyHeader.Source {
    // §2.1: what follows UNKNOWN is to be ignored.
    if words[1] == Array("UNKNOWN".utf8) { return .unknown }
    let isIPv4 = words[1] == Array("TCP4".utf8)
    guard isIPv4 || words[1] == Array("TCP6".utf8), words.count == 6 else { throw .badLine }
    guard let source = address(words[2], isIPv4), address(words[3], isIPv4) != nil else { throw .badLine }
    guard let port = port(words[4]), Self.port(words[5]) != nil else { throw .badLine }
    return .client(source, port: port)
  }

  private static func address(_ text: [UInt8], _ isIPv4: Bool) -> ForwardedAddress? {
    // A mapped address is IPv6 as it is written, and IPv4 as it is meant.
    guard text.contains(UInt8(ascii: ":")) != isIPv4 else { return nil }
    return ForwardedAddress(text)
  }

  private static func port(_ text: [UInt8]) -> UInt16? {
    ForwardedAddress.decimal(text, most: 65_535).map(UInt16.init)
  }

  // MARK: - Version 2

  private enum Place {
    static let command = 12
    static let family = 13
    static let length = 14
    static let addresses = 16
  }

  private static func parseBinary(_ bytes: UnsafeRawBufferPointer) throws(ProxyHeaderViolation) -> Outcome {
    guard bytes.count > Place.command else { return .incomplete }
    let command = bytes[Place.command]
    guard command == 0x20 || command == 0x21 else { throw .badVersion }
    guard bytes.count >= Place.addresses else { return .incomplete }
    let length = Int(bytes[Place.length]) << 8 | Int(bytes[Place.length + 1])
    guard length <= maxAnnouncedBytes else { throw .tooLong }
    let end = Place.addresses + length
    // §2.2: with the command LOCAL all that follows is to be skipped, whatever it says.
    let layout: ProxyAddresses = command == 0x20 ? .skipped : try ProxyAddresses(bytes[Place.family])
    guard layout.byteCount <= length else { throw .tooShort }
    guard bytes.count >= end else { return .incomplete }
    let source = layout.source(in: bytes[Place.addresses..<end], isLocal: command == 0x20)
    guard layout != .skipped else { return .header(ProxyHeader(source: source), consumed: end) }
    let extensions = try ProxyExtensions(UnsafeRawBufferPointer(rebasing: bytes[..<end]), from: Place.addresses + layout.byteCount)
    return .header(ProxyHeader(source: source, isSecure: extensions.isSecure), consumed: end)
  }
}

/// What stands behind the first 16 bytes of version 2.
private enum ProxyAddresses: Equatable {
  /// Nothing that is looked at.
  case skipped
  case ipv4
  case ipv6
  case unix

  /// Reads the byte of family and transport; a datagram's client is a client too, as of a proxy that speaks HTTP/3.
  init(_ byte: UInt8) throws(ProxyHeaderViolation) {
    switch byte {
    case 0x00: self = .skipped
    case 0x11, 0x12: self = .ipv4
    case 0x21, 0x22: self = .ipv6
    case 0x31, 0x32: self = .unix
    default: throw .badFamily
    }
  }

  /// Both addresses, and both ports where there are some.
  var byteCount: Int {
    switch self {
    case .skipped: 0
    case .ipv4: 12
    case .ipv6: 36
    case .unix: 216
    }
  }

  func source(in bytes: Slice<UnsafeRawBufferPointer>, isLocal: Bool) -> ProxyHeader.Source {
    func number(_ range: Range<Int>) -> UInt64 { bytes.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | UInt64($1) } }
    switch self {
    case .skipped: return isLocal ? .proxy : .unknown
    case .unix: return .unknown
    case .ipv4: return .client(.ipv4(UInt32(truncatingIfNeeded: number(0..<4))), port: UInt16(truncatingIfNeeded: number(8..<10)))
    case .ipv6:
      let address = ForwardedAddress(high: number(0..<8), low: number(8..<16))
      return .client(address, port: UInt16(truncatingIfNeeded: number(32..<34)))
    }
  }
}
