/// Base64 with the alphabet for addresses and without padding (RFC 4648 §5, as RFC 7515 §2 uses it).
package enum Base64URL {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  /// The text of the bytes.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    var word: UInt32 = 0
    var bits: UInt32 = 0
    for byte in bytes {
      word = word << 8 | UInt32(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        text.append(alphabet[Int(word >> bits & 0x3F)])
      }
    }
    if bits > 0 { text.append(alphabet[Int(word << (6 - bits) & 0x3F)]) }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes of a text; nil unless it is the one text that encodes them: no padding, no other letter, no bit left over.
  package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3 + 2)
    var word: UInt32 = 0
    var bits: UInt32 = 0
    for letter in text {
      guard let value = value(of: letter) else { return nil }
      word = word << 6 | value
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> bits))
      }
    }
    // One letter alone leaves six bits, and bits that encode nothing would give a token many spellings.
    guard bits < 6, word & (1 << bits - 1) == 0 else { return nil }
    return bytes
  }

  private static func value(of letter: UInt8) -> UInt32? {
    switch letter {
    case 0x41...0x5A: UInt32(letter) - 0x41
    case 0x61...0x7A: UInt32(letter) - 0x61 + 26
    case 0x30...0x39: UInt32(letter) - 0x30 + 52
    case 0x2D: 62
    case 0x5F: 63
    default: nil
    }
  }
}
