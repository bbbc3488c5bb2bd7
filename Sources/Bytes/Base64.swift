/// Base64 as RFC 4648 has it: the standard alphabet with padding (§4) and the URL-safe one without (§5).
package enum Base64 {
  /// Encodes with the standard alphabet and padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    encode(bytes, Alphabet.standard)
  }

  /// Encodes with the URL-safe alphabet and without padding.
  package static func encodeURLSafe(_ bytes: [UInt8]) -> String {
    encode(bytes, Alphabet.urlSafe)
  }

  /// Decodes the standard alphabet, strictly.
  ///
  /// Returns `nil` for another character, wrong or missing padding, or bits that are set behind the last byte (RFC 4648 §3.5): two
  /// different texts never decode to the same bytes.
  package static func decode(_ text: String) -> [UInt8]? {
    var digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 4) else { return nil }
    for _ in 0..<2 where digits.last == UInt8(ascii: "=") { digits.removeLast() }
    return decode(digits, Alphabet.standard)
  }

  /// Decodes the URL-safe alphabet without padding, as strictly as ``decode(_:)``.
  package static func decodeURLSafe(_ text: String) -> [UInt8]? {
    decode(Array(text.utf8), Alphabet.urlSafe)
  }

  /// The characters for the values 62 and 63, and whether `=` fills the last group.
  private struct Alphabet {
    let plus: UInt8
    let slash: UInt8
    let isPadded: Bool
    static let standard = Alphabet(plus: UInt8(ascii: "+"), slash: UInt8(ascii: "/"), isPadded: true)
    static let urlSafe = Alphabet(plus: UInt8(ascii: "-"), slash: UInt8(ascii: "_"), isPadded: false)

    func digit(_ value: UInt32) -> UInt8 {
      let value = UInt8(truncatingIfNeeded: value & 63)
      switch value {
      case 0..<26: return UInt8(ascii: "A") + value
      case 26..<52: return UInt8(ascii: "a") + (value - 26)
      case 52..<62: return UInt8(ascii: "0") + (value - 52)
      case 62: return plus
      default: return slash
      }
    }

    func value(_ digit: UInt8) -> UInt32? {
      switch digit {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): return UInt32(digit - UInt8(ascii: "A"))
      case UInt8(ascii: "a")...UInt8(ascii: "z"): return UInt32(digit - UInt8(ascii: "a")) + 26
      case UInt8(ascii: "0")...UInt8(ascii: "9"): return UInt32(digit - UInt8(ascii: "0")) + 52
      case plus: return 62
      case slash: return 63
      default: return nil
      }
    }
  }

  private static func encode(_ bytes: [UInt8], _ alphabet: Alphabet) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity((bytes.count / 3 + 1) * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(3 - group.count) * 8
      for place in 0...group.count { digits.append(alphabet.digit(bits >> UInt32(18 - 6 * place))) }
      if alphabet.isPadded { for _ in group.count..<3 { digits.append(UInt8(ascii: "=")) } }
    }
    return String(decoding: digits, as: UTF8.self)
  }

  private static func decode(_ digits: [UInt8], _ alphabet: Alphabet) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 2)
    var bits: UInt32 = 0
    var held: UInt32 = 0
    for digit in digits {
      guard let value = alphabet.value(digit) else { return nil }
      bits = (bits << 6 | value) & 0xFFFF
      held += 6
      guard held >= 8 else { continue }
      held -= 8
      bytes.append(UInt8(truncatingIfNeeded: bits >> held))
    }
    // Six bits left over are a digit that carries no whole byte; fewer must be zero.
    guard held < 6, bits & ((1 << held) - 1) == 0 else { return nil }
    return bytes
  }
}
