import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadContentTests {
  @Test func `content is one block of text`() throws {
    let frames = try Frames()
    let many = { (count: Int) in "[" + Array(repeating: #""x""#, count: count).joined(separator: ",") + "]" }
    let cases: [(content: String, refusal: String)] = [
      (#"[{"type":"text","children":["a"]}]"#, "ok"), (#"[{"children":["a","b",""],"type":"text"}]"#, "ok"),
      (#"[{"type":"text","children":\#(many(100))}]"#, "ok"), (#"[{"type":"text","children":\#(many(101))}]"#, "107 content"),
      (#"[{"type":"text","children":[]}]"#, "-32602 content"), (#"[{"type":"text","children":[" ","\n"]}]"#, "-32602 content"),
      (#"[{"type":"text"}]"#, "-32602 content"), (#"[{"type":"text","children":"a"}]"#, "-32602 content"),
      (#"[{"type":"text","children":[{"type":"bold","children":["a"]}]}]"#, "-32602 content"), (#"[{"children":["a"]}]"#, "-32602 content"),
      (#"[{"type":"file","url":"x","size":1}]"#, "-32602 content"), (#"[{"type":1,"children":["a"]}]"#, "-32602 content"),
      (#"[{"type":"text","children":["a"],"x":1}]"#, "-32602 content"), ("[null]", "-32602 content"), (#"["a"]"#, "-32602 content"),
      (#"[{"type":"text","children":["a"]},{"type":"text","children":["b"]}]"#, "-32602 content"), (#""a""#, "-32602 content"),
    ]
    for (content, refusal) in cases {
      expectEqual(try frames.refusal("conversation.send", #"{"conversation":"c","content":\#(content)}"#), refusal, "\(content.prefix(80))")
      expectEqual(
        try frames.refusal("message.edit", #"{"conversation":"c","message":"m","content":\#(content)}"#), refusal, "\(content.prefix(80))")
    }
  }
}
