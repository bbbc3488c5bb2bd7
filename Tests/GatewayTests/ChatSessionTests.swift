import Crypto
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
        (try TestGateway.token(of: "bob"), #""code":101"#), (try TestGateway.token(of: "ann", type: .bot), #""code":101"#),
        ("bad", #""code":100"#), (try TestGateway.token(of: "ann"), #""expiresAt":1"#),
      ]
      for (token, part) in cases {
        let reply = try client.call("session.refresh", #"{"token":"\#(token)"}"#)
        expect(reply.contains(part), reply)
      }
      await gateway.stop()
    }

    @Test func `who acts for another user sees, pages and leaves that user's list`() async throws {
      let gateway = try await TestGateway.start()
      let app = try WireClient.open(gateway.address)
      _ = try app.call("session.open", #"{"token":"\#(try TestGateway.token(of: "backend", type: .app))"}"#)
      for name in ["bob", "cy", "dan", "eve"] {
        for round in 1...2 {
          _ = try app.call("subscribe", #"{"topic":"conversations","actAs":"\#(name)"}"#)
          _ = try app.text(with: #""state":"active""#)
          let more = try app.call("loadMore", #"{"topic":"conversations","actAs":"\#(name)"}"#)
          expect(more.contains(#""loadedAll":true"#), "\(name), round \(round): \(more)")
          expect(try app.call("unsubscribe", #"{"topic":"conversations"}"#).contains("unsubscribed"), "\(name), round \(round)")
        }
      }
      await gateway.stop()
    }

    @Test func `a loadMore gets the reply of the one that runs on its topic`() async throws {
      let gateway = try await TestGateway.start()
      let ann = try gateway.guest("ann")
      _ = try ann.call("conversation.createIfNotExists", #"{"conversation":"pages"}"#)
      for number in 0..<30 { _ = try ann.call("conversation.send", #"{"conversation":"pages","text":"\#(number)"}"#) }
      _ = try ann.call("subscribe", #"{"topic":"messages:pages"}"#)
      _ = try ann.text(with: #""state":"active""#)
      let more = { (id: Int, count: Int) in
        #"{"jsonrpc":"2.0","id":\#(id),"method":"loadMore","params":{"topic":"messages:pages","count":\#(count)}}"#
      }
      for form in ["one by one", "a batch"] {
        let calls = [more(901, 0), more(902, 3), more(903, 100), more(904, 7)]
        let texts = form == "a batch" ? ["[" + calls.joined(separator: ",") + "]"] : calls
        ann.send(bytes: texts.flatMap { WireClient.frame(.text, Array($0.utf8)) })
        let shown = try ann.text(with: #""state":"active""#)
        expectEqual(shown.matches(of: /"plaintext"/).count, form == "a batch" ? 16 : 13, "\(form): three more are shown")
        if form == "a batch" {
          let array = try ann.text(with: #""id":904"#)
          expect(array.contains(#""id":901,"error":{"code":-32602"#), "\(form): a bad count: \(array)")
          expectEqual(array.matches(of: /"loadedAll":false/).count, 3, "\(form): one reply for all: \(array)")
        } else {
          expect(try ann.reply(to: 901).contains("-32602"), "\(form): a bad count")
          for id in [902, 903, 904] as [Int64] { expect(try ann.reply(to: id).contains(#""loadedAll":false"#), "\(form): \(id)") }
        }
      }
      await gateway.stop()
    }

    @Test func `a slow reader is not sent what came and went before it could be sent`() async throws {
      let gateway = try await TestGateway.start()
      let bob = try gateway.guest("bob")
      let ann = try WireClient.open(gateway.address, receiveBuffer: 131_072)
      try ann.enter(as: "ann")
      let room = #"{"conversation":"room"}"#
      for client in [bob, ann] { _ = try client.call("conversation.createIfNotExists", room) }
      for topic in ["typing", "messages"] {
        _ = try ann.call("subscribe", #"{"topic":"\#(topic):room"}"#)
        _ = try ann.text(with: #""topic":"\#(topic):room","state":"active""#)
      }
      // Until the socket takes no more: ten messages are shown each time, and the newest snapshot replaces the one that waits.
      let text = String(repeating: "x", count: 9_000)
      for _ in 0..<100 { _ = try bob.call("conversation.send", #"{"conversation":"room","text":"\#(text)"}"#) }
      let has = { (name: String, least: Int) in
        await gateway.shows("parley_\(name)_total ") { lines in (lines.first?.split(separator: " ").last.flatMap { Int($0) } ?? 0) >= least
        }
      }
      expect(await has("collapses", 1), "snapshots collapse")
      for _ in 0..<3 { for method in ["startTyping", "stopTyping"] { _ = try bob.call("conversation.\(method)", room) } }
      expect(await has("snapshots_skipped_equal", 3), "what equals the last one sent is counted")
      _ = try bob.call("conversation.markAsTyping", room)
      var typing: [Bool] = []
      while typing.last != true, let shown = ann.nextText() {
        if shown.contains(#""topic":"typing:room""#) { typing.append(shown.contains(#""id":"bob""#)) }
      }
      expectEqual(typing, [true], "only the last is sent")
      await gateway.stop()
    }

    @Test func `what a batch subscribes to comes behind its array, whichever of its calls is the last`() async throws {
      let gateway = try await TestGateway.start()
      let ann = try gateway.guest("ann")
      let subscribe = { (id: Int, user: String) in #"{"jsonrpc":"2.0","id":\#(id),"method":"subscribe","params":{"topic":"user:\#(user)"}}"#
      }
      let others = [
        "alone": [], "a ping": [#"{"jsonrpc":"2.0","id":902,"method":"ping"}"#],
        "a call": [#"{"jsonrpc":"2.0","id":902,"method":"user.get","params":{"user":"ann"}}"#], "another": [subscribe(902, "cy")],
        "a notification": [#"{"jsonrpc":"2.0","method":"ping"}"#],
      ]
      for (name, rest) in others {
        for calls in [[subscribe(901, name)] + rest, rest + [subscribe(901, name + "2")]] {
          let text = "[" + calls.joined(separator: ",") + "]"
          ann.send(text)
          expect(try ann.text(with: #""id":901"#).hasPrefix("["), text)
          expect(try ann.text(with: #""topic":"user:\#(name)"#).contains(#""state":"active""#), text)
        }
        _ = try ann.call("unsubscribe", #"{"topic":"user:cy"}"#)
      }
      ann.send("[" + subscribe(903, "gone") + #",{"jsonrpc":"2.0","id":904,"method":"unsubscribe","params":{"topic":"user:gone"}}]"#)
      _ = try ann.text(with: #""id":904"#)
      expect(try ann.call("subscribe", #"{"topic":"user:gone"}"#).contains(#""state":"pending""#), "what a batch ended is not there")
      expect(try ann.text(with: #""topic":"user:gone","state":"active""#).contains("snapshot"), "subscribed anew")
      await gateway.stop()
    }

    @Test func `new guests of an address are limited where a key is set`() async throws {
      let gateway = try await TestGateway.start { $0.guests = .anonymous }
      var token = ""
      for number in 1...21 {
        let client = try WireClient.open(gateway.address)
        let reply = try client.call("session.open", #"{"guest":{}}"#)
        expectEqual(reply.contains(#""code":109"#), number > 20, "guest \(number): \(reply)")
        if number == 1 {
          token = reply.components(after: #""token":""#)
        } else if number > 20 {
          expect(reply.contains("retryAfterMs"), reply)
        }
      }
      let again = try WireClient.open(gateway.address)
      expect(try again.call("session.open", #"{"token":"\#(token)"}"#).contains("result"), "who comes back is not new")
      await gateway.stop()
    }

    @Test func `a guest sees a user as long as they share a conversation, on whatever loops they are`() async throws {
      let gateway = try await TestGateway.start { $0.guests = .anonymous }
      for name in ["bob", "cy", "dan"] {
        let (guest, user) = (try WireClient.open(gateway.address), try WireClient.open(gateway.address))
        _ = try guest.call("session.open", #"{"guest":{}}"#)
        _ = try user.call("session.open", #"{"token":"\#(try TestGateway.token(of: name))"}"#)
        let join = #"{"conversation":"of \#(name)"}"#
        let leave = #"{"conversation":"of \#(name)","user":"\#(name)"}"#
        _ = try guest.call("conversation.createIfNotExists", join)
        for topic in ["user", "online"] {
          _ = try guest.call("subscribe", #"{"topic":"\#(topic):\#(name)"}"#)
          expect(try guest.text(with: #""state":"active""#).contains(#""snapshot":null"#), "\(name): of a stranger")
        }
        for round in 1...3 {
          _ = try user.call("conversation.createIfNotExists", join)
          for _ in ["user", "online"] {
            expect(try guest.text(with: #""state":"active""#).contains(#""id":"\#(name)""#), "\(name), round \(round): together")
          }
          _ = try user.call("participant.delete", leave)
          if round == 1 { _ = try user.call("user.set", #"{"user":"\#(name)","name":"Renamed"}"#) }
          for _ in ["user", "online"] {
            let shown = try guest.text(with: #""state":"active""#)
            expect(shown.contains(#""snapshot":null"#), "\(name), round \(round): apart: \(shown)")
          }
        }
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
