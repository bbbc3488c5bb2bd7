import TestSupport
import Testing

@testable import Configuration

@Test func `each key has its line`() {
  let cases: [(String, [String: Int])] = [
    ("{}", [:]), ("[1, 2]", [:]), ("{a:1}", ["a": 1]), ("{\n'a b': 1,\n\"c\": 2 }", ["a b": 2, "c": 3]),
    ("{ a: {\n b: [ 1,\n { c: 'x: {' } ],\n d: \"}\\\"{\" },\n e: null }", ["a": 1, "a.b": 2, "a.b[1].c": 3, "a.d": 4, "e": 5]),
    ("// { x: 1\n{ /* y: 1,\n */ a: 1, /*/ b: 2 */ c: 3 // z: 4\n}", ["a": 3, "c": 3]),
    ("{ a: 'one\\\ntwo',\n b: 1 }", ["a": 1, "b": 3]), ("{\r\n a: -0x1F,\r\n b: +Infinity\r\n}", ["a": 2, "b": 3]),
    ("{ a: 'https://x/y', b: 1 }", ["a": 1, "b": 1]),
  ]
  for (text, lines) in cases {
    let outline = JSON5Outline(of: text)
    expectEqual(outline.places.mapValues(\.line), lines, text)
    expectEqual(outline.mistake?.what, nil, text)
    expectEqual(outline.duplicates.count, 0, text)
  }
}

@Test func `keys that are there twice are told, each in its own object`() {
  let outline = JSON5Outline(of: "{ a: 1,\n b: { a: 1, 'a': 2 },\n a: 3,\n a: 4 }")
  expectEqual(outline.duplicates.map { "\($0.path) \($0.line)" }, ["b.a 2", "a 3", "a 4"], "duplicates")
  expectEqual(outline.places.mapValues(\.line), ["a": 4, "b": 2, "b.a": 2], "the last line counts")
}

@Test func `a mistake is found at its line`() {
  let cases: [(String, Int, JSON5Outline.Mistake)] = [
    ("{\n a: 1\n b: 2 }", 3, .comma), ("{ a: 1,\n, b: 1 }", 2, .key), ("{ a\n }", 2, .colon), ("{ a\n 1 }", 2, .colon),
    ("{ a: }", 1, .value),
    ("{ a: ,\n }", 1, .value), ("{ a: [1,\n,] }", 2, .value), ("{ log: {\n level: info } }", 2, .word), ("{ a: [1 2] }", 1, .comma),
    ("{ a: [1\n} ]", 2, .bracket), ("}", 1, .bracket), ("{ a: 'x\n', b: 1 }", 1, .quote), ("{ a: 'x", 1, .quote),
    ("{}\n/* x\n", 3, .comment),
    ("{ a: 1,\n\n", 3, .end), ("", 1, .end), ("{}\n{}", 2, .rest), ("{},", 1, .rest), ("{}:", 1, .rest), ("/", 1, .value),
    ("{ a: /x }", 1, .value),
    ("{ a: 1 {", 1, .comma), ("{ a :: 1", 1, .value), ("{ { } }", 1, .key),
  ]
  for (text, line, what) in cases {
    let mistake = JSON5Outline(of: text).mistake
    expectEqual(mistake?.line, line, text)
    expectEqual(mistake?.what, what, text)
    expectEqual((try? ConfigurationValue.parse(text)) == nil, true, "the decoder refuses it too: \(text)")
  }
}

@Test func `no text traps the scanner`() {
  let texts = [
    "", "}", "]]}}", ",", ",,{", "/", "/*", "/*/", "//", "'", "'\\", "\"a\\\"", "{a", "{a:", "{a:{", "[[[", "x", "{'a", "{,}", "é{ü:1",
  ]
  for text in texts {
    let outline = JSON5Outline(of: text)
    expect(outline.places.count <= 1, text)
  }
}

@Test func `whatever the decoder takes, the scanner finds no mistake in`() {
  let pieces = [
    "{", "}", "[", "]", ",", ":", "a", "'b'", "\"c\"", "1", "true", "\n", " ", "/*x*/", "//y\n", "\\", "'", "{a:1}", "[2,]", "a:",
  ]
  var seed: UInt64 = 20_261_130
  var accepted = 0
  for _ in 0..<20_000 {
    var text = ""
    // A linear congruential generator (Knuth's MMIX constants): the same texts in each run.
    repeat {
      seed = seed &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      text += pieces[Int(seed >> 33) % pieces.count]
    } while seed >> 60 != 0 && text.utf8.count < 40
    let outline = JSON5Outline(of: text)
    guard (try? ConfigurationValue.parse(text)) != nil else { continue }
    accepted += 1
    expectEqual(outline.mistake?.what, nil, text)
  }
  expect(accepted > 50, "enough texts are JSON5: \(accepted)")
}
