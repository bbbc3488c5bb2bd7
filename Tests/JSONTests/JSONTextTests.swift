import JSON
import TestSupport
import Testing

@Suite struct JSONTextTests {
  @Test func `a member's value comes back byte for byte`() {
    let cases: [(text: String, expected: String?)] = [
      (#"{"id":1}"#, "1"), (#"{"id":1.0}"#, "1.0"), (#"{"id" : 1e2 }"#, "1e2"), (#"{"id":"\u0041"}"#, #""\u0041""#),
      (#" { "a" : [1,{"id":2},"]}"] ,"id": -0.50E+1 , "b":2}"#, "-0.50E+1"), (#"{"\u0069\u0064":7}"#, "7"),
      (#"{"\u0069d":null,"x":1}"#, "null"),
      (#"{"i\\d":1,"i\"d":2,"\/id":3,"id":"a\\"}"#, #""a\\""#), (#"{"s":"{\"id\":1}","id":"}"}"#, #""}""#),
      ("{\"id\"\n:\t[ 1 , [ ] ]\r}", "[ 1 , [ ] ]"), (#"{"id":{"a":"}"}}"#, #"{"a":"}"}"#), (#"{"id":1,"id":2}"#, "1"),
      ("{}", nil), ("[]", nil), ("1", nil), (#"{"a":1}"#, nil), (#"{"idx":1,"i":2,"Id":3}"#, nil), (#"{"a":{"id":1}}"#, nil),
      (#"{"i\u0064x":1}"#, nil), (#"{"\u0069\u0064\u0000":1}"#, nil),
      // Text that no parser took: nothing traps.
      ("", nil), ("{", nil), (#"{"id"#, nil), (#"{"id""#, nil), (#"{"id":"#, nil), (#"{"id":}"#, nil), (#"{"id":"x"#, nil),
      (#"{"id":["#, nil),
      (#"{"id":["x"#, nil), (#"{"\"#, nil), (#"{"\u00zz":1}"#, nil), (#"{"\u0":1}"#, nil), (#"{"\":1}"#, nil), (#"{"a" 1}"#, nil),
    ]
    for (text, expected) in cases { expectEqual(member("id", text), expected, text) }
    expectEqual(member("😀\n\t\u{8}\u{C}\r/", #"{"\ud83d\ude00\n\t\b\f\r\/":5}"#), "5", "all escapes")
    expectEqual(member("é", #"{"e\u0301":1,"é":2}"#), "2", "keys are not normalised")
  }

  @Test func `the entries of a batch and a member of each`() {
    let text = Array(#" [ {"id":1.0} ,{"x":2}, 3 , [{"id":4}],{"a":"],","id":"]"}] "#.utf8)
    let entries = JSONText.elements(of: text)
    expectEqual(
      entries.map { String(decoding: text[$0], as: UTF8.self) },
      [#"{"id":1.0}"#, #"{"x":2}"#, "3", #"[{"id":4}]"#, #"{"a":"],","id":"]"}"#])
    let ids = entries.map { JSONText.memberValue("id", of: text, in: $0).map { String(decoding: text[$0], as: UTF8.self) } }
    expectEqual(ids, ["1.0", nil, nil, nil, #""]""#])
    expectEqual(JSONText.elements(of: text, limit: 2).count, 2, "limit")
    expectEqual(JSONText.elements(of: text, limit: -1).count, 0, "no limit")
    for other in ["", "[", "[]", "{}", "1", "[,", "[[", "[\""] { expectEqual(JSONText.elements(of: Array(other.utf8)), [], other) }
    expectEqual(JSONText.elements(of: Array("[1 2".utf8)), [1..<2], "an open array")
    expectEqual(JSONText.memberValue("id", of: text, in: 900..<1000), nil, "a range outside the document")
    expectEqual(JSONText.memberValue("id", of: text, in: -9 ..< -1), nil, "a range before the document")
  }

  @Test func `damaged documents never trap, and those still taken agree with the parser`() throws {
    var random = SystemRandomNumberGenerator()
    let parser = try #require(JSONParser(maxBytes: 1000, maxDepth: 8))
    let text = Array(##"[{"a\n":"\\\"","id":"\u0041\"","\u0069d":{"b":[1,2.5e3,{"id":"\\"}]}},{"id":1e2 }, 7,[{"id":-0}]]"##.utf8)
    var taken = 0
    for _ in 0..<4000 {
      var damaged = text
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = text[Int.random(in: 0..<text.count, using: &random)]
      }
      damaged.removeLast(Int.random(in: 0...6, using: &random) / 6)
      let entries = JSONText.elements(of: damaged)
      let ids = entries.map { JSONText.memberValue("id", of: damaged, in: $0) }
      let result = parser.parse(damaged) { root in root.array.map { $0.map { $0["id"].map { JSONTree($0) } } } }
      guard case .success(let expected) = result else { continue }
      taken += 1
      let found = try ids.map { try $0.map { try JSONTree(parsing: Array(damaged[$0])) } }
      expectEqual(found, expected ?? [], String(decoding: damaged, as: UTF8.self))
    }
    expect(taken > 500, "many are still documents: \(taken)")
  }

  private func member(_ name: String, _ text: String) -> String? {
    let bytes = Array(text.utf8)
    return JSONText.memberValue(name, of: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}
