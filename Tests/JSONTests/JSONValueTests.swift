import JSON
import TestSupport
import Testing

@Suite struct JSONValueTests {
  @Test func `a value answers for its own kind only`() throws {
    struct Answers: Equatable {
      var kind: JSONValue.Kind
      var bool: Bool?
      var integer: Int64?
      var unsigned: UInt64?
      var double: Double?
      var string: String?
    }
    let cases: [(text: String, expected: Answers)] = [
      ("null", Answers(kind: .null)),
      ("true", Answers(kind: .bool, bool: true)),
      ("false", Answers(kind: .bool, bool: false)),
      ("0", Answers(kind: .int, integer: 0, unsigned: 0, double: 0)),
      ("-9223372036854775808", Answers(kind: .int, integer: .min, double: -9_223_372_036_854_775_808)),
      ("9223372036854775807", Answers(kind: .int, integer: .max, unsigned: UInt64(Int64.max), double: 9_223_372_036_854_775_808)),
      ("18446744073709551615", Answers(kind: .uint, unsigned: .max, double: 18_446_744_073_709_551_616)),
      ("1.0", Answers(kind: .double, integer: 1, double: 1)),
      ("-1e3", Answers(kind: .double, integer: -1000, double: -1000)),
      ("9007199254740992.0", Answers(kind: .double, integer: 9_007_199_254_740_992, double: 9_007_199_254_740_992)),
      ("9007199254740994.0", Answers(kind: .double, double: 9_007_199_254_740_994)),
      ("1.5", Answers(kind: .double, double: 1.5)),
      ("1e300", Answers(kind: .double, double: 1e300)),
      (#""a\u0000\n\ud83d\ude00""#, Answers(kind: .string, string: "a\u{0}\n😀")),
      (#""""#, Answers(kind: .string, string: "")),
      ("[]", Answers(kind: .array)),
      ("{}", Answers(kind: .object)),
    ]
    let parser = try #require(JSONParser(maxBytes: 1000, maxDepth: 8))
    for (text, expected) in cases {
      let answers = try parser.parse(Array(text.utf8)) { root in
        expectEqual(root.isNull, expected.kind == .null, text)
        expectEqual(root.withUTF8 { $0.count }, expected.string?.utf8.count, text)
        return Answers(
          kind: root.kind, bool: root.bool, integer: root.integer, unsigned: root.unsigned, double: root.double, string: root.string)
      }.get()
      expectEqual(answers, expected, text)
    }
    let strings = try parser.parse(Array(#"["ab", "abc", "", 1]"#.utf8)) { root in
      root.array?.map { [$0.isString("ab"), $0.isString("abd"), $0.isString("")] }
    }.get()
    expectEqual(strings, [[true, false, false], [false, false, false], [false, false, true], [false, false, false]])
  }
}
