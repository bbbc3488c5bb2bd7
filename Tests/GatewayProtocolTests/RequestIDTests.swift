import GatewayProtocol
import TestSupport
import Testing

@Suite struct RequestIDTests {
  @Test func `ids come back byte for byte`() throws {
    let frames = try Frames()
    let long = "\"" + String(repeating: "x", count: 126) + "\""
    let taken = [
      "1", "0", "-0", "-1", "1.0", "1e3", "1E+3", "9007199254740993", "18446744073709551615", "1.5", "0.1e-7", #""""#, #""a""#,
      #""\u0061""#, #""\"\\\/""#, #""null""#, "\"\u{1F600}\"", #""\ud83d\ude00""#, long, #""__proto__""#,
    ]
    for id in taken {
      let expected = #"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#
      expectEqual(frames.answer(to: #"{"jsonrpc":"2.0","method":"ping","id":\#(id)}"#), expected, id)
      expectEqual(frames.answer(to: #"{ "id" : \#(id) , "params" : {"id":7} , "jsonrpc":"2.0","method":"$/x"}"#)?.contains(id), true, id)
      expectEqual(frames.answer(to: #"{"\u0069d":\#(id),"jsonrpc":"2.0","method":"ping"}"#), expected, "escaped key \(id)")
      expectEqual(frames.answer(to: #"[ {"id":\#(id) ,"jsonrpc":"2.0","method":"ping"} ]"#), "[\(expected)]", "batch \(id)")
    }
    let refused = ["null", "true", "[]", "[1]", "{}", #"{"a":1}"#, "\"" + String(repeating: "x", count: 127) + "\""]
    for id in refused {
      let answer = frames.answer(to: #"{"jsonrpc":"2.0","method":"ping","id":\#(id)}"#)
      expect(answer?.hasPrefix(#"{"jsonrpc":"2.0","id":null,"error":{"code":-32600,"#) == true, "\(id): \(answer ?? "")")
      expect(answer?.contains(#""field":"id""#) == true, "\(id): \(answer ?? "")")
    }
    for number in ["1e400", "18446744073709551616"] {
      let answer = frames.answer(to: #"{"jsonrpc":"2.0","method":"ping","id":\#(number)}"#)
      expect(answer?.contains("-32700") == true, number)
    }
    expectEqual(RequestID(-5).bytes, Array("-5".utf8))
    expect(RequestID(1) == RequestID(1) && RequestID(1) != RequestID(2) && RequestID(1) != .null)
  }
}
