import Bytes
import TestSupport
import Testing

@Suite struct UTF8ValidatorTests {
  /// Feeds pieces one after the other; the result is the offset in the whole.
  private func feed(_ pieces: [ArraySlice<UInt8>]) -> (invalid: Int?, isComplete: Bool) {
    var validator = UTF8Validator()
    for piece in pieces {
      if let offset = piece.withUnsafeBytes({ validator.firstInvalid(in: $0) }) { return (piece.startIndex + offset, false) }
    }
    return (nil, validator.isComplete)
  }

  private func check(_ bytes: [UInt8], _ invalid: Int?, _ isComplete: Bool, _ name: String) {
    var deliveries = [[bytes[...]], bytes.indices.map { bytes[$0...$0] }]
    for split in bytes.indices { deliveries.append([bytes[..<split], bytes[split...]]) }
    for (index, delivery) in deliveries.enumerated() {
      let result = feed(delivery)
      expectEqual(result.invalid, invalid, "\(name), delivery \(index)")
      expectEqual(result.isComplete, isComplete, "\(name), delivery \(index)")
    }
    expectEqual(bytes.withUnsafeBytes { UTF8Validator.isValid($0) }, invalid == nil && isComplete, name)
  }

  @Test func `an invalid byte is found where it stands, however the bytes arrive`() {
    let rows: [(name: String, bytes: [UInt8], invalid: Int?, isComplete: Bool)] = [
      ("nothing", [], nil, true),
      ("ASCII with NUL", [0x41, 0x00, 0x7F], nil, true),
      ("long ASCII", Array(repeating: 0x61, count: 70), nil, true),
      ("a bad byte behind words of ASCII", Array(repeating: 0x61, count: 29) + [0xFF], 29, false),
      ("Greek", Array("κόσμε".utf8), nil, true),
      ("mixed", Array("aé漢😀 – Привет, 世界 🌍 end of the line".utf8), nil, true),
      ("lone continuation", [0x80], 0, false),
      ("overlong of two", [0xC0, 0x80], 0, false),
      ("overlong of two, C1", [0xC1, 0xBF], 0, false),
      ("overlong of three", [0xE0, 0x9F, 0xBF], 1, false),
      ("least of three", [0xE0, 0xA0, 0x80], nil, true),
      ("overlong of four", [0xF0, 0x8F, 0xBF, 0xBF], 1, false),
      ("least of four", [0xF0, 0x90, 0x80, 0x80], nil, true),
      ("last before the surrogates", [0xED, 0x9F, 0xBF], nil, true),
      ("surrogate", [0xED, 0xA0, 0x80], 1, false),
      ("greatest scalar", [0xF4, 0x8F, 0xBF, 0xBF], nil, true),
      ("above U+10FFFF", [0xF4, 0x90, 0x80, 0x80], 1, false),
      ("F5", [0xF5], 0, false),
      ("byte order mark", [0xEF, 0xBB, 0xBF], nil, true),
      ("unfinished two", [0x61, 0xC3], nil, false),
      ("unfinished three", [0xE2, 0x82], nil, false),
      ("unfinished four", [0xF0, 0x9F, 0x98], nil, false),
      ("two, then ASCII where a continuation is due", [0xC3, 0x28], 1, false),
      ("three, then lead where a continuation is due", [0xE2, 0x82, 0xC3], 2, false),
      ("Autobahn 6.4.1", [0xCE, 0xBA, 0xE1, 0xBD, 0xB9, 0xCF, 0x83, 0xCE, 0xBC, 0xCE, 0xB5, 0xF4, 0x90, 0x80, 0x80, 0x65], 12, false),
    ]
    for row in rows { check(row.bytes, row.invalid, row.isComplete, row.name) }
  }

  @Test func `it agrees with the standard library at every edge`() {
    let edges: [UInt8] = [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC2, 0xE0, 0xFF]
    var texts: [[UInt8]] = []
    for first in UInt8(0x7F)...UInt8.max {
      for second in UInt8.min...UInt8.max { texts += [[first, second], [first, second, 0x80]] }
      for second in edges {
        for third in edges.dropFirst().prefix(7) { texts += [0x7F, 0x80, 0xBF, 0xC0].map { [first, second, third, $0] } }
      }
    }
    // Behind eight more bytes the words are looked at, without them the single bytes.
    let wrong = texts.filter { text in
      [text, text + Array(repeating: 0x61, count: 8)].contains { bytes in
        bytes.withUnsafeBytes { UTF8Validator.isValid($0) } != (String(validating: bytes, as: UTF8.self) != nil)
      }
    }
    expectEqual(wrong, [], "\(texts.count) texts")
  }

  @Test func `one wrong byte in a long text is found at the same place by words and by bytes`() {
    let text = Array(
      "Привет, мир! 漢字 aé😀 ÿ€ plain words between, \u{7FF}\u{800}\u{D7FF}\u{E000}\u{FFFF}\u{10000}\u{10FFFF} and an end".utf8)
    for place in text.indices {
      for byte in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xF0, 0xF4, 0xF5, 0xF8, 0xFF] as [UInt8] {
        var bytes = text
        bytes[place] = byte
        let expected = feed(bytes.indices.map { bytes[$0...$0] })
        let result = feed([bytes[...]])
        expectEqual(result.invalid, expected.invalid, "byte \(byte) at \(place)")
        expectEqual(result.isComplete, expected.isComplete, "byte \(byte) at \(place)")
        expectEqual(expected.invalid == nil && expected.isComplete, String(validating: bytes, as: UTF8.self) != nil, "\(byte) at \(place)")
      }
    }
  }
}
