import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct RPCErrorTests {
  @Test func `every error stands in the documentation`() throws {
    let rows = try Document.rows(below: ["code", "key", "meaning"])
    let kinds = RPCErrorKind.allCases
    expectEqual(Set(rows.map { "\($0[0]) \($0[1])" }), Set(kinds.map { "\($0.code) \($0.key)" }), "codes and keys")
    expectEqual(rows.count, kinds.count, "rows")
    expectEqual(Set(kinds.map(\.code)).count, kinds.count, "different codes")
    expectEqual(Set(kinds.map(\.key)).count, kinds.count, "different keys")
    let temporary = rows.filter { $0[2].contains("temporary") }.map { $0[1] }
    expectEqual(kinds.filter(\.isTemporary).map(\.key), temporary, "temporary ones")
  }

  @Test func `errors carry what the chat said`() {
    let cases: [(RPCError, String)] = [
      (
        RPCError(.invalid("limit", "is \"odd\"")),
        #"{"code":-32602,"message":"limit is \"odd\"","data":{"key":"invalidParams","temporary":false,"field":"limit"}}"#
      ),
      (
        RPCError(.unavailable),
        #"{"code":110,"message":"The store is not available; nothing was changed","#
          + #""data":{"key":"unavailable","temporary":true,"retryAfterMs":1000}}"#
      ),
      (
        RPCError(ChatError(.rateLimited, "Slow down", field: "text", retryAfterMs: 0)),
        #"{"code":109,"message":"Slow down","data":{"key":"rateLimited","temporary":true,"retryAfterMs":0,"field":"text"}}"#
      ),
      (
        RPCError(ChatError(.restricted, "No", reason: "spam \"x\"")),
        #"{"code":111,"message":"No","data":{"key":"restricted","temporary":false,"reason":"spam \"x\""}}"#
      ),
      (.methodNotFound, #"{"code":-32601,"message":"There is no such method","data":{"key":"methodNotFound","temporary":false}}"#),
      (
        .invalidRequest("No", field: "id"),
        #"{"code":-32600,"message":"No","data":{"key":"invalidRequest","temporary":false,"field":"id"}}"#
      ),
      (
        .idInFlight,
        #"{"code":-32600,"message":"A request with this id is not answered yet","#
          + #""data":{"key":"invalidRequest","temporary":false,"field":"id"}}"#
      ),
      (RPCError(.parseError, "Bad"), #"{"code":-32700,"message":"Bad","data":{"key":"parseError","temporary":false}}"#),
    ]
    for (error, text) in cases {
      let message = ServerMessage.failure(RequestID(1), error)
      expectEqual(String(decoding: message.encoded, as: UTF8.self), #"{"jsonrpc":"2.0","id":1,"error":\#(text)}"#, error.message)
    }
  }
}
