import JSON
import TestSupport
import Testing

@Suite struct JSONTreeTests {
  @Test func `a document becomes a tree and text again`() throws {
    let text = #"{"n":null,"b":[true,false],"i":-5,"d":1.5,"u":1e+19,"s":"x\n","e":{},"l":[]}"#
    let tree = try JSONTree(parsing: text)
    let expected = JSONTree.object([
      .init("n", .null), .init("b", .array([.bool(true), .bool(false)])), .init("i", .integer(-5)), .init("d", .double(1.5)),
      .init("u", .double(1e19)), .init("s", .string("x\n")), .init("e", .object([])), .init("l", .array([])),
    ])
    expectEqual(tree, expected)
    expectEqual(String(decoding: tree.encoded, as: UTF8.self), text)
    expectEqual(try JSONTree(parsing: "18446744073709551615"), .double(18_446_744_073_709_551_616))
    expectEqual(tree["i"], .integer(-5))
    expectEqual(tree["x"], nil)
    expectEqual(tree["i"]?["i"], nil)
  }

  @Test func `documents that are no tree`() {
    let cases: [(text: String, expected: JSONError.Kind)] = [
      ("{", .syntax), (#"{"a":{"b":1,"b":2}}"#, .duplicateKey),
      (String(repeating: "[", count: 70) + String(repeating: "]", count: 70), .depth),
      ("1e999", .numberOutOfRange),
    ]
    for (text, expected) in cases { #expect(throws: JSONError(expected)) { try JSONTree(parsing: text) } }
    #expect(throws: JSONError(.size)) { try JSONTree(parsing: Array("12345".utf8), maxBytes: 4) }
    #expect(throws: JSONError(.outOfMemory)) { try JSONTree(parsing: [0x31], maxBytes: 0) }
  }
}
