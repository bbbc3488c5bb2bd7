import JSON
import TestSupport
import Testing

@Suite struct JSONParserTests {
  @Test func `documents are taken or refused by name`() throws {
    let parser = try #require(JSONParser(maxBytes: 6000, maxDepth: 8))
    let nested = { (depth: Int) in String(repeating: "[", count: depth) + "1" + String(repeating: "]", count: depth) }
    let cases: [(text: String, expected: JSONError.Kind?)] = [
      (#"{"a":[1,2]}"#, nil), ("1", nil), ("null", nil), (#""x""#, nil), (" [ ] ", nil), (#"{"":"\u0000"}"#, nil),
      (#""\ud83d\ude00""#, nil), ("[\"\u{2028}\u{1F600}\"]", nil), ("-0", nil), ("1e308", nil), ("18446744073709551615", nil),
      ("", .syntax), (" ", .syntax), ("{", .syntax), ("[1,]", .syntax), ("{} x", .syntax), ("[1][2]", .syntax), ("nul", .syntax),
      ("{'a':1}", .syntax), (#""\ud83d""#, .syntax), (#""\ude00""#, .syntax), (#""\x""#, .syntax), ("\"\n\"", .syntax),
      ("\"a", .syntax), ("\u{FEFF}{}", .syntax), ("// x\n1", .syntax), ("NaN", .syntax), ("+1", .syntax),
      ("01", .syntax), ("1.", .syntax), ("-", .syntax), ("1e", .syntax), ("[1.e1]", .syntax), ("[1,-x]", .syntax), ("[.5]", .syntax),
      (#"{"0":"01","x":1a}"#, .syntax),
      ("18446744073709551616", .numberOutOfRange), ("[1e400]", .numberOutOfRange), ("-9223372036854775809", .numberOutOfRange),
      (#"{"01":[-1.5E+400 , 1]}"#, .numberOutOfRange), ("1e-400", nil),
      (nested(8), nil), (nested(9), .depth), (nested(3000 - 1), .depth),
      ("\"" + String(repeating: "x", count: 5998) + "\"", nil), ("\"" + String(repeating: "x", count: 5999) + "\"", .size),
    ]
    for (text, expected) in cases { expectEqual(failure(parser, Array(text.utf8)), expected, "\(text.prefix(40))") }
  }

  @Test func `containers may be nested as deep as the bound, with or without something inside`() throws {
    let parser = try #require(JSONParser(maxBytes: 6000, maxDepth: 64))
    let forms: [(String, open: String, inside: [String], close: String)] = [
      ("arrays", "[", ["", "1", #""[[{""#, #""\"[{""#], "]"), ("objects", #"{"[":"#, ["1", "{}", "[]"], "}"),
      ("arrays beside others", "[[],{},", ["1", "[]"], "]"), ("both", #"[{"a":"#, ["1"], "}]"),
    ]
    for depth in 63...67 {
      for (name, open, inside, close) in forms {
        for inner in inside {
          // How many levels one repetition opens, and how many the innermost text does.
          let (step, innermost) = (name == "both" ? 2 : 1, inner == "{}" || inner == "[]" ? 1 : 0)
          guard (depth - innermost) % step == 0 else { continue }
          let count = (depth - innermost) / step
          let text = String(repeating: open, count: count) + inner + String(repeating: close, count: count)
          // An empty container beside the others stands a level deeper than what holds it.
          let deepest = name == "arrays beside others" ? max(depth, count + 1) : depth
          expectEqual(failure(parser, Array(text.utf8)), deepest > 64 ? .depth : nil, "\(depth) \(name) around \(inner)")
        }
      }
    }
    let wide = "[" + Array(repeating: #"[{"]":"\\"},[]]"#, count: 300).joined(separator: ",") + "]"
    expectEqual(failure(parser, Array(wide.utf8)), nil, "many, but none deep")
  }

  @Test func `bytes that are not UTF-8 are told from bad syntax`() throws {
    let parser = try #require(JSONParser(maxBytes: 6000, maxDepth: 8))
    let invalid: [[UInt8]] = [
      [0x80], [0xC0, 0x80], [0xC1, 0xBF], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80],
      [0xE2, 0x82], [0xFF],
    ]
    for bytes in invalid {
      expectEqual(failure(parser, [0x22] + bytes + [0x22]), .invalidUTF8, "\(bytes) in a string")
      expectEqual(failure(parser, Array("{bad".utf8) + bytes), .invalidUTF8, "\(bytes) behind bad syntax")
      expectEqual(failure(parser, Array("\"open".utf8) + bytes), .invalidUTF8, "\(bytes) in an open string")
      expect(!JSONParser.isValidUTF8(bytes), "\(bytes)")
    }
    for text in ["", "a", "ё", "€", "😀", "\u{FEFF}", "\u{0}", String(repeating: "я", count: 300)] {
      expect(JSONParser.isValidUTF8(Array(text.utf8)), text)
    }
  }

  @Test func `the bounds, the body and its errors`() throws {
    expect(JSONParser(maxBytes: 0, maxDepth: 1) == nil, "no bytes")
    expect(JSONParser(maxBytes: 1, maxDepth: 0) == nil, "no depth")
    expect(JSONParser(maxBytes: .max, maxDepth: 8) == nil, "too many bytes")
    expect(JSONParser(maxBytes: 8, maxDepth: .max) == nil, "too deep")
    let parser = try #require(JSONParser(maxBytes: 1 << 20, maxDepth: 64))
    // The parser grows, and is the same again after a failure or a thrown error.
    for size in [1, 4000, 4096, 4097, 70_000, 10] {
      let text = Array(("[" + String(repeating: "1,", count: size) + "2]").utf8)
      expectEqual(parser.parse(text) { $0.count }, .success(size + 1), "\(size)")
      expectEqual(failure(parser, [0x5B]), .syntax)
    }
    #expect(throws: JSONError(.duplicateKey)) {
      _ = try parser.parse(Array("1".utf8)) { (_) throws(JSONError) -> Int in throw JSONError(.duplicateKey) }
    }
    let inner = parser.parse(Array("[1]".utf8)) { root in
      (failure(parser, Array("2".utf8)), root.count)
    }
    expectEqual(try inner.get().0, .busy, "inside")
    expectEqual(try inner.get().1, 1, "the outer document is untouched")
    expectEqual(failure(parser, Array("2".utf8)), nil, "free again")
  }

  private func failure(_ parser: JSONParser, _ bytes: [UInt8]) -> JSONError.Kind? {
    switch parser.parse(bytes, { _ in () }) {
    case .success: nil
    case .failure(let error): error.kind
    }
  }
}
