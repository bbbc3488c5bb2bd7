import JSON
import TestSupport
import Testing

@Suite struct JSONDuplicatesTests {
  @Test func `a key that comes twice is found at every level`() throws {
    let members = { (count: Int) in (0..<count).map { "\"key\($0)\":\($0)" }.joined(separator: ",") }
    let cases: [(text: String, expected: String?)] = [
      ("1", nil), ("[]", nil), ("{}", nil), (#"{"a":1}"#, nil), (#"{"a":1,"b":1}"#, nil), (#"[{"a":1},{"a":1}]"#, nil),
      (#"{"a":{"a":{"a":1}}}"#, nil), (#"{"é":1,"e\u0301":2}"#, nil), (#"{"":1,"\u0000":2}"#, nil),
      (#"{"a":1,"a":2}"#, "a"), (#"{"a":1,"\u0061":2}"#, "a"), (#"{"":1,"":2}"#, ""), (#"[1,[2,{"x":{"b":0,"c":1,"b":2}}]]"#, "b"),
      (#"{"x":"x","y":[],"z":[{}, {"q":1,"q":1}]}"#, "q"),
      ("{\(members(16))}", nil), ("{\(members(15)),\"key0\":0}", "key0"), ("{\(members(16)),\"key15\":0}", "key15"),
      ("{\(members(17))}", nil), ("{\(members(2000))}", nil), ("{\(members(2000)),\"key1999\":0}", "key1999"),
    ]
    let parser = try #require(JSONParser(maxBytes: 1 << 16, maxDepth: 8))
    for (text, expected) in cases {
      expectEqual(try parser.parse(Array(text.utf8)) { $0.firstDuplicateKey() }.get(), expected, "\(text.prefix(50))")
    }
  }
}
