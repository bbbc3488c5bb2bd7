import HTTPProtocol
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct ChatSessionTests {
    /// Sends calls in one packet, so that all of them arrive before the first is answered.
    private static func ask(_ client: WireClient, _ calls: String...) {
      client.send(bytes: calls.flatMap { WireClient.frame(.text, Array($0.utf8)) })
    }

    @Test func `what waits for a session can be cancelled, and keeps its order`() async throws {
      let gateway = try await TestGateway.start()
      let client = try WireClient.open(gateway.address)
      Self.ask(
        client, #"{"jsonrpc":"2.0","id":1,"method":"session.open","params":{"guest":{"id":"ann"}}}"#,
        #"{"jsonrpc":"2.0","id":2,"method":"conversation.createIfNotExists","params":{"conversation":"general","subject":"a"}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"conversation.get","params":{"conversation":"general"}}"#,
        #"{"jsonrpc":"2.0","id":3,"method":"ping"}"#,
        #"{"jsonrpc":"2.0","id":4,"method":"conversation.set","params":{"conversation":"general","subject":"b"}}"#,
        #"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":4}}"#,
        #"{"jsonrpc":"2.0","id":5,"method":"conversation.get","params":{"conversation":"general"}}"#)
      expect(try client.text(with: #""id":null"#).contains("-32600"), "an id that is in flight")
      expect(try client.reply(to: 4).contains("-32800"), "cancelled")
      expect(try client.reply(to: 2).contains(#""created":true"#), "created")
      for id in [3, 5] as [Int64] { expect(try client.reply(to: id).contains(#""subject":"a""#), "\(id): in order, and not changed") }
      await gateway.stop()
    }

    @Test func `guests are let in where they may be`() async throws {
      let named = try await TestGateway.start()
      let proxied = try WireClient.open(named.address, fields: [HeaderField("Via", "1.1 proxy")])
      expect(try proxied.text(with: "hello").contains(#""auth":"required""#), "through a proxy")
      expect(try proxied.call("session.open", #"{"guest":{}}"#).contains(#""code":101"#), "through a proxy")
      let client = try WireClient.open(named.address)
      expect(try client.call("session.open", #"{"guest":{"id":"guest-x"}}"#).contains("-32602"), "an id of the server's")
      expect(try client.call("session.open", #"{"guest":{}}"#).contains(#""id":"guest-"#), "an id by the server")
      expect(try client.call("conversation.createIfNotExists", #"{"type":"group"}"#).contains(#""created":true"#), "an id by the server")
      await named.stop()

      let anonymous = try await TestGateway.start { $0.guests = .anonymous }
      let first = try WireClient.open(anonymous.address)
      let reply = try first.call("session.open", #"{"guest":{"id":"ann"}}"#)
      expect(!reply.contains(#""id":"ann""#), "no id of their own")
      let token = reply.components(after: #""token":""#)
      let again = try WireClient.open(anonymous.address)
      let second = try again.call("session.open", #"{"token":"\#(token)"}"#)
      expectEqual(
        second.components(after: #""user":{"id":""#), reply.components(after: #""user":{"id":""#), "the token brings the guest back")
      await anonymous.stop()

      let refused = try await TestGateway.start { $0.guests = .refused }
      let nobody = try WireClient.open(refused.address)
      expect(try nobody.text(with: "hello").contains(#""auth":"required""#), "no guests")
      expect(try nobody.call("session.open", #"{"guest":{}}"#).contains(#""code":101"#), "no guests")
      await refused.stop()
    }

    @Test func `a session is refreshed with tokens of its user only`() async throws {
      let gateway = try await TestGateway.start { $0.allowsQueryToken = true }
      let token = try TestGateway.token(of: "ann", lifetime: 30)
      let client = try WireClient.open(gateway.address, path: "/ws?token=\(token)")
      _ = try client.text(with: #""auth":"done""#)
      _ = try client.text(with: "session.expiring")
      let cases = [
        (try TestGateway.token(of: "bob"), #""code":101"#), ("bad", #""code":100"#), (try TestGateway.token(of: "ann"), #""expiresAt":1"#),
      ]
      for (token, part) in cases {
        let reply = try client.call("session.refresh", #"{"token":"\#(token)"}"#)
        expect(reply.contains(part), reply)
      }
      await gateway.stop()
    }

    @Test func `subscriptions have a limit, and their windows a meaning`() async throws {
      let gateway = try await TestGateway.start { $0.limits.maxSubscriptions = 2 }
      let ann = try gateway.guest("ann")
      let cases: [(String, String)] = [
        (#"{"topic":"user:ann","from":"x"}"#, "-32602"), (#"{"topic":"messages:general","from":"x"}"#, #""code":104"#),
        (#"{"topic":"participants:general","from":"a,b"}"#, "-32602"), (#"{"topic":"participants:general","from":"bob"}"#, "pending"),
        (#"{"topic":"conversations"}"#, "pending"), (#"{"topic":"user:ann"}"#, #""code":108"#),
      ]
      for (params, part) in cases {
        let reply = try ann.call("subscribe", params)
        expect(reply.contains(part), "\(params): \(reply)")
      }
      expect(try ann.call("unsubscribe", #"{"topic":"conversations"}"#).contains("unsubscribed"), "room again")
      expect(try ann.call("unsubscribe", #"{"topic":"conversations"}"#).contains("unsubscribed"), "also when there is none")
      expect(try ann.call("subscribe", #"{"topic":"user:ann"}"#).contains("pending"), "room again")
      expect(try ann.call("conversation.createIfNotExists", #"{"type":"direct","with":"ann"}"#).contains("-32602"), "not with oneself")
      await gateway.stop()
    }
  }
}

extension String {
  /// What stands between a text and the next quote; empty where it is not there.
  fileprivate func components(after text: String) -> String {
    guard let start = firstRange(of: text)?.upperBound else { return "" }
    return String(self[start...].prefix { $0 != "\"" })
  }
}
