import JSON
import TestSupport
import Testing

@Suite struct JSONContainersTests {
  @Test func `members and elements are read in order`() throws {
    let parser = try #require(JSONParser(maxBytes: 1 << 16, maxDepth: 8))
    let text = #"{"id":7,"":"empty","é":[1,[2],{"x":3}],"nul\u0000":true,"id":8,"e\u0301":null}"#
    try parser.parse(Array(text.utf8)) { root in
      expectEqual(root.kind, .object)
      expectEqual(root.object?.map(\.key), ["id", "", "é", "nul\u{0}", "id", "e\u{301}"], "keys")
      expectEqual(root.object?.map(\.value.kind), [.int, .string, .array, .bool, .int, .null], "kinds")
      expectEqual(root.object?.filter { $0.hasKey("id") }.map(\.value.integer), [7, 8], "by key")
      expectEqual(root.count, 6)
      expectEqual(root.object?.count, 6)
      expectEqual(root["id"]?.integer, 7, "the first one")
      expectEqual(root[""]?.string, "empty")
      expectEqual(root["é"]?.kind, .array, "composed")
      expectEqual(root.member(named: "e\u{301}")?.kind, .null, "decomposed: keys are bytes")
      expectEqual(root.member(named: "nul\u{0}")?.bool, true)
      expectEqual(root.member(named: "")?.string, "empty")
      expectEqual(root["nul"]?.kind, nil)
      expectEqual(root["i"]?.kind, nil)
      expect(root.array == nil, "no array")
      let list = root["é"]?.array
      expectEqual(list?.count, 3)
      expectEqual(list?.map(\.kind), [.int, .array, .object])
      expectEqual(root["é"]?["x"]?.kind, nil, "an array has no members")
      expect(root["é"]?.object == nil, "no object")
      expectEqual(root["id"]?.count, 0, "a scalar")
      expectEqual(root["id"]?["id"]?.kind, nil, "a scalar has no members")
    }.get()
    let many = "[" + Array(repeating: "1", count: 20_000).joined(separator: ",") + "]"
    expectEqual(
      try parser.parse(Array(many.utf8)) { [$0.count, $0.array?.reduce(0) { $0 + ($1.count + 1) } ?? 0] }.get(), [20_000, 20_000])
  }
}
