import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadCustomTests {
  @Test func `custom fields are strings within their bounds`() throws {
    let frames = try Frames()
    let keys = { (count: Int, value: String) in "{" + (0..<count).map { "\"k\($0)\":\(value)" }.joined(separator: ",") + "}" }
    let text = { (count: Int) in #"{"k":"\#(String(repeating: "x", count: count))"}"# }
    let cases: [(custom: String, send: String, edit: String)] = [
      (keys(64, #""v""#), "ok", "ok"), (keys(65, #""v""#), "107 custom", "107 custom"), (keys(64, "null"), "-32602 custom", "ok"),
      (keys(128, "null"), "-32602 custom", "ok"), (keys(129, "null"), "107 custom", "107 custom"), (text(4095), "ok", "ok"),
      (text(4096), "107 custom", "107 custom"), (#"{"k":"\u00e9\#(String(repeating: "x", count: 4094))"}"#, "107 custom", "107 custom"),
      (#"{"k":1}"#, "-32602 custom", "-32602 custom"), (#"{"k":{"a":"b"}}"#, "-32602 custom", "-32602 custom"),
      (#"{"k":["a"]}"#, "-32602 custom", "-32602 custom"), (#"{"":""}"#, "ok", "ok"), (#"{"__proto__":"x","constructor":"y"}"#, "ok", "ok"),
    ]
    for (custom, send, edit) in cases {
      let name = "\(custom.prefix(60))"
      expectEqual(try frames.refusal("conversation.send", #"{"conversation":"c","text":"a","custom":\#(custom)}"#), send, "send \(name)")
      expectEqual(try frames.refusal("conversation.createIfNotExists", #"{"custom":\#(custom)}"#), send, "create \(name)")
      expectEqual(try frames.refusal("message.edit", #"{"conversation":"c","message":"m","custom":\#(custom)}"#), edit, "edit \(name)")
    }
  }
}
