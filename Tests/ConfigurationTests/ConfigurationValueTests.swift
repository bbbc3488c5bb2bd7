import TestSupport
import Testing

@testable import Configuration

@Test func `JSON5 becomes a tree`() throws {
  let cases: [(String, ConfigurationValue)] = [
    ("null", .null), ("true", .flag(true)), ("1", .integer(1)), ("0x10", .integer(16)), ("+3", .integer(3)), ("-1", .integer(-1)),
    ("1.5", .number(1.5)), ("1e30", .number(1e30)), ("'a\\n'", .text("a\n")), ("[1, 'b',]", .list([.integer(1), .text("b")])),
    ("{}", .object([])),
    ("/* c */ { b: 1, 'a': { // d\n }, }", .object([.init("a", .object([])), .init("b", .integer(1))])),
  ]
  for (text, value) in cases { expectEqual(try ConfigurationValue.parse(text), value, text) }
}

@Test func `what is not JSON5 is refused, with its line where it can be seen`() {
  let cases: [(String, Int?, String)] = [
    ("{\n  a: 1\n  b: 2\n}", 3, "write a comma or the closing bracket"), ("{ a: 0x }", nil, "check its numbers, escapes and depth"),
    (String(repeating: "[", count: 100_000), 1, "nest objects and lists less deeply"),
  ]
  for (text, line, advice) in cases {
    do throws(ConfigurationValue.SyntaxError) {
      let value = try ConfigurationValue.parse(text)
      expect(false, "\(text) became \(value)")
    } catch {
      expectEqual(error, ConfigurationValue.SyntaxError(line: line, advice: advice), "\(text.prefix(20))")
    }
  }
}

@Test func `a tree is rendered as JSON5 that gives it back`() throws {
  let value = ConfigurationValue.object([
    .init("a", .list([.null, .flag(false), .integer(-7), .number(0.5)])), .init("b-c", .text("\"\\\n\u{1}\u{7F}\u{85}é")),
    .init("d", .object([])), .init("e", .object([.init("f", .text(""))])),
    .init("g", .list([.number(.infinity), .number(-.infinity)])),
  ])
  let text = value.rendered()
  expectEqual(
    text,
    "{\n  a: [null, false, -7, 0.5],\n  \"b-c\": \"\\\"\\\\\\n\\u0001\\u007f\\u0085é\",\n  d: {},\n  e: {\n    f: \"\",\n  },\n"
      + "  g: [Infinity, -Infinity],\n}",
    "the text")
  expectEqual(try ConfigurationValue.parse(text), value, "read again")
  expectEqual(ConfigurationValue.number(.nan).rendered(), "NaN", "no number")
}

@Test func `each kind of value has its words`() {
  let cases: [(ConfigurationValue, String)] = [
    (.null, "null"), (.flag(true), "true or false"), (.integer(1), "a number"),
    (.number(0.5), "a number with a fraction or beyond 64 bits"),
    (.text("x"), "a text"), (.list([]), "a list"), (.object([]), "an object"),
  ]
  for (value, words) in cases { expectEqual(value.kind, words, words) }
}

@Test func `the text of a variable is read by the shape of its key`() {
  let cases: [(String, SettingKey.Shape, ConfigurationValue)] = [
    ("true", .flag, .flag(true)), ("1", .flag, .text("1")), ("12", .integer, .integer(12)), ("1e3", .integer, .text("1e3")),
    ("99999999999999999999", .integer, .text("99999999999999999999")), ("7", .text, .text("7")),
    ("a, b ,", .list, .list([.text("a"), .text("b")])), ("['a', 1]", .list, .list([.text("a"), .integer(1)])),
    ("[::1]:8080,b", .list, .list([.text("[::1]:8080"), .text("b")])), ("{ a: 1 }", .object, .object([.init("a", .integer(1))])),
    ("{", .object, .text("{")),
  ]
  for (text, shape, value) in cases { expectEqual(ConfigurationValue(text, as: shape), value, text) }
}
