/// Gives the characters of a string's text after its escapes, as UTF-16 (RFC 8259 §7).
struct JSONUnescaper: IteratorProtocol {
  private var rest: Substring.UTF16View.SubSequence

  /// Makes an iterator over what is between the quotes of a string.
  init(_ text: UnsafeRawBufferPointer) {
    rest = Substring(String(decoding: text, as: UTF8.self)).utf16
  }

  /// The next unit; nil at the end, and at an escape that does not exist.
  mutating func next() -> UInt16? {
    guard let unit = rest.popFirst() else { return nil }
    guard unit == 0x5C else { return unit }
    switch rest.popFirst() {
    case 0x62: return 0x08
    case 0x74: return 0x09
    case 0x6E: return 0x0A
    case 0x66: return 0x0C
    case 0x72: return 0x0D
    case 0x75: return hexadecimal()
    case let same?: return same
    case nil: return nil
    }
  }

  private mutating func hexadecimal() -> UInt16? {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard let unit = rest.popFirst(), let scalar = Unicode.Scalar(unit), let digit = Character(scalar).hexDigitValue else { return nil }
      value = value << 4 | UInt16(truncatingIfNeeded: digit)
    }
    return value
  }
}
