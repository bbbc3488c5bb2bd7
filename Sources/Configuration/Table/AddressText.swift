/// The textual forms of IP addresses, without asking the system.
enum AddressText {
  /// Four numbers of 0 to 255 without leading zeros (RFC 6943 §3.1.1 warns of the looser forms).
  static func isIPv4(_ text: some StringProtocol) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { decimal($0, upTo: 255) }
  }

  /// The forms of RFC 4291 §2.2, without a zone.
  static func isIPv6(_ text: some StringProtocol) -> Bool { groups(of: text) != nil }

  /// `::1` in any of its spellings.
  static func isIPv6Loopback(_ text: some StringProtocol) -> Bool {
    groups(of: text) == [0, 0, 0, 0, 0, 0, 0, 1]
  }

  /// An address, or an address with a prefix length.
  static func isNetwork(_ text: String) -> Bool {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    guard let address = parts.first else { return false }
    let bits = isIPv4(address) ? 32 : isIPv6(address) ? 128 : nil
    guard let bits else { return false }
    return parts.count == 1 || decimal(parts[1], upTo: bits)
  }

  private static func decimal(_ text: some StringProtocol, upTo limit: Int) -> Bool {
    guard (1...3).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text) else {
      return false
    }
    return number <= limit && (text.utf8.count == 1 || text.first != "0")
  }

  /// The eight numbers of an IPv6 address; an IPv4 tail counts as two.
  private static func groups(of text: some StringProtocol) -> [UInt16]? {
    let halves = halves(of: String(text))
    // An IPv4 tail is one only at the end of the whole address.
    guard let first = halves.first, let head = numbers(first, mayEndInIPv4: halves.count == 1) else { return nil }
    guard halves.count == 2 else { return halves.count == 1 && head.count == 8 ? head : nil }
    guard let tail = numbers(halves[1], mayEndInIPv4: true), head.count + tail.count <= 7 else { return nil }
    return head + Array(repeating: 0, count: 8 - head.count - tail.count) + tail
  }

  /// What stands before and after each `::`.
  private static func halves(of text: String) -> [Substring] {
    var halves: [Substring] = []
    var rest = text[...]
    while let gap = rest.indices.first(where: { rest[$0...].hasPrefix("::") }) {
      halves.append(rest[..<gap])
      rest = rest[rest.index(gap, offsetBy: 2)...]
    }
    return halves + [rest]
  }

  private static func numbers(_ text: Substring, mayEndInIPv4: Bool) -> [UInt16]? {
    guard !text.isEmpty else { return [] }
    var numbers: [UInt16] = []
    let words = text.split(separator: ":", omittingEmptySubsequences: false)
    for (index, word) in words.enumerated() {
      if mayEndInIPv4, index == words.count - 1, isIPv4(word) {
        let bytes = word.split(separator: ".").compactMap { UInt16($0) }
        numbers += [bytes[0] << 8 | bytes[1], bytes[2] << 8 | bytes[3]]
      } else {
        guard (1...4).contains(word.utf8.count), word.first != "+", word.first != "-", let number = UInt16(word, radix: 16) else {
          return nil
        }
        numbers.append(number)
      }
    }
    return numbers
  }
}
