import JSON
import TestSupport
import Testing

@Suite struct JSONContentTests {
  @Test func `the content is the value's own`() throws {
    let parser = try #require(JSONParser(maxBytes: 1000, maxDepth: 8))
    let text = #"[null,true,-1,18446744073709551615,0.5,"a\u0000",[1,2],{"k":1}]"#
    let contents = try parser.parse(Array(text.utf8)) { root in root.array?.map { describe($0.content) } }.get()
    expectEqual(contents, ["null", "true", "-1", "18446744073709551615", "0.5", "[97, 0]", "2 elements", "1 members"])
  }

  private func describe(_ content: JSONContent) -> String {
    switch content {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .int(let value): "\(value)"
    case .uint(let value): "\(value)"
    case .double(let value): "\(value)"
    case .string(let bytes): "\(Array(bytes))"
    case .array(let elements): "\(elements.count) elements"
    case .object(let members): "\(members.count) members"
    }
  }
}
