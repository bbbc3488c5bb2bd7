import JSON
import TestSupport
import Testing

@Suite struct JSONWriterTests {
  @Test func `values and containers get their commas`() {
    var writer = JSONWriter(capacity: -1)
    writer.beginArray()
    writer.beginObject()
    writer.endObject()
    writer.beginArray()
    writer.endArray()
    writer.beginObject()
    writer.key("a")
    writer.beginArray()
    for value in [0, 9, 10, -1, -10, 1234567890, Int64.max, Int64.min] { writer.integer(value) }
    writer.endArray()
    writer.key(named: "b\"")
    writer.null()
    writer.endObject()
    writer.bool(true)
    writer.bool(false)
    for value in [0.5, -0.0, 1e300, .leastNonzeroMagnitude, 100, .infinity, -.infinity, .nan] { writer.double(value) }
    writer.unsigned(.max)
    writer.raw(Array("{\"r\":1}".utf8))
    Array("2".utf8).withUnsafeBytes { writer.raw($0) }
    writer.string("x")
    writer.endArray()
    expectEqual(
      String(decoding: writer.bytes, as: UTF8.self),
      #"[{},[],{"a":[0,9,10,-1,-10,1234567890,9223372036854775807,-9223372036854775808],"b\"":null},true,false,"#
        + #"0.5,-0.0,1e+300,5e-324,100.0,null,null,null,18446744073709551615,{"r":1},2,"x"]"#
    )
    writer.removeAll()
    writer.string("again")
    expectEqual(writer.bytes, Array("\"again\"".utf8), "no comma after removeAll")
  }

  @Test func `strings get the escapes they need and no others`() {
    let cases: [(text: String, expected: String)] = [
      ("", ""), ("plain", "plain"), ("\"\\/", #"\"\\/"#), ("\u{8}\u{9}\u{A}\u{C}\u{D}", #"\b\t\n\f\r"#),
      ("\u{0}\u{1F}\u{B}", #"\u0000\u001f\u000b"#),
      ("\u{7F}\u{80}\u{2028}\u{2029}é😀", "\u{7F}\u{80}\u{2028}\u{2029}é😀"), ("12345678\n", #"12345678\n"#), ("1234567\"", #"1234567\""#),
      ("\u{1}\u{1}", #"\u0001\u0001"#), ("е\u{301}ё!!#[]", "е\u{301}ё!!#[]"),
    ]
    for (text, expected) in cases {
      var writer = JSONWriter()
      writer.string(text)
      expectEqual(String(decoding: writer.bytes, as: UTF8.self), "\"\(expected)\"", expected)
    }
  }

  @Test func `what is written is read back`() throws {
    var random = SystemRandomNumberGenerator()
    let parser = try #require(JSONParser(maxBytes: 1 << 16, maxDepth: 8))
    let scalars = (0..<0x80).compactMap { Unicode.Scalar(UInt32($0)) } + Array("éя漢😀👩‍👩‍👧\u{2028}\u{10FFFF}".unicodeScalars)
    for count in 0..<400 {
      var text = String.UnicodeScalarView()
      for _ in 0..<(count % 40) { text.append(scalars.randomElement(using: &random) ?? "x") }
      var writer = JSONWriter()
      writer.beginObject()
      writer.key(named: String(text))
      writer.string(String(text))
      writer.endObject()
      let back = try parser.parse(writer.bytes) { $0.object?.map { [$0.key, $0.value.string ?? ""] } }.get()
      expect(back?.first?.allSatisfy { $0.unicodeScalars.elementsEqual(text) } == true, "\(String(text))")
    }
    for _ in 0..<400 {
      let number = Double(bitPattern: .random(in: 0 ... .max, using: &random))
      guard number.isFinite else { continue }
      var writer = JSONWriter()
      writer.double(number)
      expectEqual(try parser.parse(writer.bytes) { $0.double?.bitPattern }.get(), number.bitPattern, "\(number)")
    }
  }
}
