/// An IP address as a proxy tells it.
///
/// An IPv4-mapped IPv6 address is the IPv4 address that is meant (RFC 4291 §2.5.5.2), so that a client has one address however it is written.
package enum ForwardedAddress: Hashable, Sendable {
  /// 127.0.0.1 is 0x7F000001.
  case ipv4(UInt32)
  /// The two halves.
  case ipv6(high: UInt64, low: UInt64)

  /// An IPv6 address by its halves.
  package init(high: UInt64, low: UInt64) {
    let isMapped = high == 0 && low >> 32 == 0xFFFF
    self = isMapped ? .ipv4(UInt32(truncatingIfNeeded: low)) : .ipv6(high: high, low: low)
  }

  /// Reads `192.0.2.1` or the forms of RFC 4291 §2.2, without brackets, zone and port; nil for anything else.
  package init?(_ text: some Sequence<UInt8>) {
    let bytes = Array(text.prefix(Self.maxTextBytes + 1))
    guard bytes.count <= Self.maxTextBytes else { return nil }
    if let bits = Self.ipv4(bytes[...]) {
      self = .ipv4(bits)
    } else if let words = Self.ipv6(bytes[...]) {
      let halves = [words[..<4], words[4...]].map { $0.reduce(UInt64(0)) { $0 << 16 | UInt64($1) } }
      self.init(high: halves[0], low: halves[1])
    } else {
      return nil
    }
  }

  /// The longest text: six groups of four digits and an IPv4 tail.
  private static let maxTextBytes = 45

  /// Four numbers of 0 to 255 without leading zeros: some readers take those for octal.
  static func ipv4(_ text: ArraySlice<UInt8>) -> UInt32? {
    let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 4 else { return nil }
    var bits: UInt32 = 0
    for part in parts {
      guard let number = decimal(part, most: 255) else { return nil }
      bits = bits << 8 | UInt32(number)
    }
    return bits
  }

  /// A decimal number without sign and leading zeros.
  static func decimal(_ text: some Collection<UInt8>, most: UInt32) -> UInt32? {
    guard let first = text.first, (1...5).contains(text.count), first != UInt8(ascii: "0") || text.count == 1 else { return nil }
    var number: UInt32 = 0
    for digit in text {
      guard ASCII.isDigit(digit) else { return nil }
      number = number * 10 + UInt32(digit & 0x0F)
    }
    return number <= most ? number : nil
  }

  /// The eight groups; an IPv4 tail counts as two of them.
  private static func ipv6(_ text: ArraySlice<UInt8>) -> [UInt16]? {
    let colon = UInt8(ascii: ":")
    var words: [UInt16] = []
    var gap: Int?
    var rest = text
    if rest.starts(with: [colon, colon]) {
      gap = 0
      rest = rest.dropFirst(2)
    }
    while !rest.isEmpty {
      let piece = rest.prefix { $0 != colon }
      rest = rest[piece.endIndex...]
      if rest.isEmpty, words.count <= 6, let tail = ipv4(piece) {
        words += [UInt16(truncatingIfNeeded: tail >> 16), UInt16(truncatingIfNeeded: tail)]
        break
      }
      guard words.count < 8, let word = hexadecimal(piece) else { return nil }
      words.append(word)
      guard !rest.isEmpty else { break }
      rest = rest.dropFirst()
      guard let next = rest.first else { return nil }
      if next == colon {
        guard gap == nil else { return nil }
        gap = words.count
        rest = rest.dropFirst()
      }
    }
    guard let gap else { return words.count == 8 ? words : nil }
    guard words.count <= 7 else { return nil }
    words.insert(contentsOf: repeatElement(0, count: 8 - words.count), at: gap)
    return words
  }

  private static func hexadecimal(_ text: ArraySlice<UInt8>) -> UInt16? {
    guard (1...4).contains(text.count), text.allSatisfy(ASCII.isHexDigit) else { return nil }
    return text.reduce(0) { $0 << 4 | UInt16(ASCII.isDigit($1) ? $1 & 0x0F : ($1 & 0x0F) + 9) }
  }
}
