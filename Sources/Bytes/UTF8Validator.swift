/// Checks UTF-8 that arrives in pieces (RFC 3629 §4).
///
/// A sequence may be split between two pieces anywhere. The first byte with which no valid text can begin any more is reported at once,
/// so that a peer is answered before the rest of its message is there.
package struct UTF8Validator: Equatable, Sendable {
  /// How many continuation bytes the running sequence still needs, 0 to 3.
  private var missing: UInt8 = 0
  /// The lowest value that the next continuation byte may have.
  private var lowest: UInt8 = 0x80
  /// The highest value that the next continuation byte may have.
  private var highest: UInt8 = 0xBF

  /// Starts before the first byte of a text.
  package init() {}

  /// Whether the bytes so far end between two sequences: at the end of a text it must be `true`.
  package var isComplete: Bool { missing == 0 }

  /// Whether these bytes are a whole valid text.
  package static func isValid(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var validator = UTF8Validator()
    return validator.firstInvalid(in: bytes) == nil && validator.isComplete
  }

  /// Takes the next bytes and returns the offset of the first invalid one, or `nil`.
  ///
  /// After an offset was returned the validator must not be fed again.
  package mutating func firstInvalid(in bytes: UnsafeRawBufferPointer) -> Int? {
    guard let base = bytes.baseAddress else { return nil }
    let count = bytes.count
    var index = 0
    while index < count {
      if missing == 0 {
        index = Self.skipWhole(base, from: index, to: count)
        guard index < count else { return nil }
        let byte = base.load(fromByteOffset: index, as: UInt8.self)
        guard byte < 0x80 || start(byte) else { return index }
      } else {
        guard proceed(base.load(fromByteOffset: index, as: UInt8.self)) else { return index }
      }
      index += 1
    }
    return nil
  }

  /// Skips whole valid sequences without state, until fewer than eight bytes are left or something else stands there.
  @inline(__always)
  private static func skipWhole(_ base: UnsafeRawPointer, from start: Int, to count: Int) -> Int {
    var index = start
    while index + 8 <= count {
      let word = base.loadUnaligned(fromByteOffset: index, as: UInt64.self).littleEndian
      let high = word & 0x8080_8080_8080_8080
      if high == 0 {
        index += 8
      } else if high & 0x80 == 0 {
        index += high.trailingZeroBitCount / 8
      } else {
        let length = wholeSequence(UInt32(truncatingIfNeeded: word))
        guard length > 0 else { return index }
        index += length
      }
    }
    return index
  }

  /// The length of the valid sequence in the low bytes that is not ASCII, or 0.
  ///
  /// The first mask of each pair tests the bits that mark lead and continuation bytes. The second keeps out overlong forms, surrogates and
  /// values above U+10FFFF, which RFC 3629 §4 tells by the low bits of the lead and the high bits of the second byte.
  @inline(__always)
  private static func wholeSequence(_ word: UInt32) -> Int {
    if word & 0xC0E0 == 0x80C0 { return word & 0x1E != 0 ? 2 : 0 }
    if word & 0xC0_C0F0 == 0x80_80E0 { return word & 0x200F != 0 && word & 0x200F != 0x200D ? 3 : 0 }
    if word & 0xC0C0_C0F8 == 0x8080_80F0 { return word & 0x3007 != 0 && (word & 0x07 < 4 || word & 0x3007 == 4) ? 4 : 0 }
    return 0
  }

  /// Takes the lead byte of a sequence, which is not ASCII.
  ///
  /// The bounds of the second byte keep out overlong forms, surrogates and values above U+10FFFF (RFC 3629 §4).
  private mutating func start(_ lead: UInt8) -> Bool {
    switch lead {
    case 0xC2...0xDF: (missing, lowest, highest) = (1, 0x80, 0xBF)
    case 0xE0: (missing, lowest, highest) = (2, 0xA0, 0xBF)
    case 0xE1...0xEC, 0xEE...0xEF: (missing, lowest, highest) = (2, 0x80, 0xBF)
    case 0xED: (missing, lowest, highest) = (2, 0x80, 0x9F)
    case 0xF0: (missing, lowest, highest) = (3, 0x90, 0xBF)
    case 0xF1...0xF3: (missing, lowest, highest) = (3, 0x80, 0xBF)
    case 0xF4: (missing, lowest, highest) = (3, 0x80, 0x8F)
    default: return false
    }
    return true
  }

  private mutating func proceed(_ byte: UInt8) -> Bool {
    guard byte >= lowest, byte <= highest else { return false }
    missing -= 1
    (lowest, highest) = (0x80, 0xBF)
    return true
  }
}
