import GatewayProtocol
import TestSupport
import Testing

@Suite struct ReadOpeningTests {
  @Test func `a session is opened in one of two ways`() throws {
    let frames = try Frames()
    let cases: [(params: String, refusal: String)] = [
      (#"{"token":""}"#, "ok"), (#"{"guest":{}}"#, "ok"), (#"{"guest":{"name":"Ada"}}"#, "ok"), (#"{"guest":{"id":"ada"}}"#, "ok"),
      (#"{"token":"t","guest":null}"#, "ok"), (#"{"token":null,"guest":null}"#, "-32602 token"),
      (#"{"token":"t","guest":{}}"#, "-32602 token"), (#"{"guest":"ada"}"#, "-32602 guest"), (#"{"guest":[]}"#, "-32602 guest"),
      (#"{"guest":{"name":1}}"#, "-32602 guest.name"), (#"{"guest":{"name":"\u3000"}}"#, "-32602 guest.name"),
      (#"{"guest":{"id":[]}}"#, "-32602 guest.id"), (#"{"guest":{"id":""}}"#, "-32602 guest.id"),
      (#"{"guest":{"__proto__":{}}}"#, "-32602 guest.__proto__"), (#"{"guest":{"name":"a","name":"b"}}"#, "-32600 name"),
    ]
    for (params, refusal) in cases { expectEqual(try frames.refusal("session.open", params), refusal, params) }
  }
}
