/// What counts as part of a word, as space, and as nothing that may stand in an address.
enum WordCharacter {
  /// Letters, digits and the marks that belong to them.
  static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return isASCIIWord(UInt8(truncatingIfNeeded: scalar.value)) }
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .spacingMark, .enclosingMark,
      .decimalNumber, .letterNumber, .otherNumber:
      return true
    // Variation selectors end emoji, which are no words.
    case .nonspacingMark: return !(0xFE00...0xFE0F).contains(scalar.value)
    default: return false
    }
  }

  static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    scalar.isASCII ? scalar == " " || (9...13).contains(scalar.value) : scalar.properties.isWhitespace
  }

  /// Whether the scalar may stand in an address: no space, and nothing that cannot be seen.
  static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
    guard !scalar.isASCII else { return scalar.value > 0x20 && scalar.value != 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .spaceSeparator, .unassigned, .privateUse: return false
    default: return true
    }
  }

  static func isASCIIWord(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

  static func isLetter(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"): true
    default: false
    }
  }

  static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

  /// The small letter of a capital one in ASCII; all else as it is.
  static func lowercased(_ byte: UInt8) -> UInt8 { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte }
}
