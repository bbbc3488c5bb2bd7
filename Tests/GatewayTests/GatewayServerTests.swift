import GatewayProtocol
import HTTPProtocol
import Observability
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct GatewayServerTests {
    @Test func `guests meet in a conversation`() async throws {
      let gateway = try await TestGateway.start()
      let ann = try WireClient.open(gateway.address, subprotocols: ["parley.v1"])
      let hello = try ann.text(with: #""method":"hello""#)
      for part in [#""protocol":"parley.v1""#, #""auth":"guest""#, #""name":"Test""#, #""maxSubscriptions":500"#] {
        expect(hello.contains(part), "\(part) in \(hello)")
      }
      expect(try ann.call("ping").contains(#""time":"#), "a ping before the session")
      expect(try ann.call("conversation.get", #"{"conversation":"general"}"#).contains(#""code":100"#), "but nothing else")
      expect(try ann.enter(as: "ann").contains(#""id":"ann""#), "a session")
      expect(try ann.call("session.open", #"{"guest":{}}"#).contains(#""code":106"#), "one is enough")
      expect(try ann.call("conversation.createIfNotExists", #"{"conversation":"general"}"#).contains(#""created":true"#), "created")
      let bob = try gateway.guest("bob")
      expect(
        try bob.call("participant.createIfNotExists", #"{"conversation":"general","user":"bob"}"#).contains(#""error""#), "not invited")
      expect(
        try ann.call("participant.createIfNotExists", #"{"conversation":"general","user":"bob"}"#).contains(#""code":104"#), "a stranger")
      expect(try bob.call("conversation.createIfNotExists", #"{"conversation":"general"}"#).contains(#""created":false"#), "joined")
      for client in [ann, bob] {
        let reply = try client.call("subscribe", #"{"topic":"messages:general"}"#)
        expect(reply.contains(#""state":"pending""#), reply)
        _ = try client.text(with: #""topic":"messages:general","state":"active""#, #""snapshot":[]"#)
      }
      expect(try ann.call("subscribe", #"{"topic":"messages:general"}"#).contains(#""state":"active""#), "the same again")
      expect(try ann.call("conversation.send", #"{"conversation":"general","text":"hi"}"#).contains(#""duplicate":false"#), "sent")
      for client in [ann, bob] { _ = try client.text(with: #""topic":"messages:general""#, #""plaintext":"hi""#) }
      expect(try bob.call("loadMore", #"{"topic":"messages:general"}"#).contains(#""loadedAll":true"#), "a page")
      expect(try bob.call("loadMore", #"{"topic":"participants:general"}"#).contains(#""code":104"#), "of what is subscribed")
      expect(try bob.call("unsubscribe", #"{"topic":"messages:general"}"#).contains(#""unsubscribed""#), "enough")
      expect(try bob.call("conversation.markAllAsRead").contains(#""count":1"#), "read")
      expect(try bob.call("session.list", #"{"user":"bob"}"#).contains(#""isCurrent":true"#), "the session")
      expect(try ann.call("session.close").contains(#""result""#), "asked for")
      expectEqual(ann.closeCode(), 1000, "closed")
      bob.close()
      expectEqual(bob.closeCode(), 1000, "closed")
      await gateway.stop()
    }

    @Test func `batches are answered as one array, ids are used once, and events wait`() async throws {
      let gateway = try await TestGateway.start()
      let ann = try WireClient.open(gateway.address)
      func request(_ id: String, _ method: String, _ params: String = "{}") -> String {
        #"{"jsonrpc":"2.0","id":\#(id),"method":"\#(method)","params":\#(params)}"#
      }
      // What follows `session.open` waits for it.
      ann.send(
        "[\(request(#""a""#, "session.open", #"{"guest":{"id":"ann"}}"#)),\(request(#""b""#, "conversation.createIfNotExists", #"{"conversation":"general"}"#)),\(request(#""c""#, "subscribe", #"{"topic":"messages:general"}"#))]"
      )
      _ = try ann.text(with: #""method":"hello""#)
      let array = ann.next()
      guard case .text(let text) = array else { throw WireClient.Failure(description: "\(array)") }
      expect(text.hasPrefix("[") && text.hasSuffix("]"), text)
      for part in [#""id":"a","result""#, #""created":true"#, #""id":"c","result":{"topic":"messages:general","state":"pending"}"#] {
        expect(text.contains(part), "\(part) in \(text)")
      }
      _ = try ann.text(with: #""state":"active""#)

      ann.send("[\(request("1", "ping")),\(request("1", "ping"))]")
      let twice = try ann.text(with: #""id":1,"#)
      expect(twice.contains(#""id":null"#) && twice.contains("-32600"), "an id twice in a batch: \(twice)")
      ann.send(request("1", "ping"))
      expect(try ann.text(with: #""id":1,"#).contains(#""time""#), "free afterwards")

      let refusals: [(String, [String])] = [
        ("[]", [#""id":null"#, "-32600"]), ("{", [#""id":null"#, "-32700"]), ("1", [#""id":null"#, "-32600"]),
        (request("2", "nonsense"), [#""id":2"#, "-32601"]), (request("3", "ping", "[]"), [#""id":3"#, "-32602"]),
      ]
      for (frame, parts) in refusals {
        ann.send(frame)
        let reply = try ann.text(with: parts[0])
        expect(reply.contains(parts[1]), "\(frame): \(reply)")
      }
      ann.send(#"{"jsonrpc":"2.0","id":9,"result":{}}"#)
      ann.send(#"{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":77}}"#)
      ann.send(
        "[\(request("4", "session.close")),\(request("5", "conversation.get", #"{"conversation":"general"}"#)),\(request("6", "ping"))]")
      let last = try ann.text(with: #""id":4,"result""#)
      expect(last.contains(#""id":5,"error":{"code":100"#) && last.contains(#""id":6,"result""#), "all are answered: \(last)")
      expectEqual(ann.closeCode(), 1000, "then closed")

      let binary = try gateway.guest("bob")
      binary.send(.binary, [1])
      expectEqual(binary.closeCode(), 1003, "text only")
      let big = try WireClient.open(gateway.address)
      big.send(String(repeating: "a", count: 9_000))
      expectEqual(big.closeCode(), 1009, "small messages before the session")
      await gateway.stop()
    }

    @Test func `waiting calls are answered when the session does not open, and the fifth bad token ends it`() async throws {
      let gateway = try await TestGateway.start { $0.guests = .anonymous }
      let client = try WireClient.open(gateway.address)
      for attempt in 1...4 {
        expect(try client.call("session.open", #"{"token":"bad"}"#).contains(#""code":100"#), "attempt \(attempt)")
      }
      let id = client.ask("session.open", #"{"token":"bad"}"#)
      expect(try client.reply(to: id).contains(#""code":100"#), "the fifth is answered")
      expectEqual(client.closeCode(), 4002, "and is the last")

      // A token from before the revocation is only refused by the user's machine: what follows waits meanwhile.
      let token = try TestGateway.token(of: "ann")
      let first = try WireClient.open(gateway.address)
      expect(try first.call("session.open", #"{"token":"\#(token)"}"#).contains(#""user":{"#), "let in")
      let second = try WireClient.open(gateway.address, fields: [HeaderField("Authorization", "Bearer \(token)")])
      expect(try second.text(with: #""method":"hello""#).contains(#""auth":"done""#), "in the upgrade")
      let third = try WireClient.open(gateway.address, subprotocols: ["parley.v1", "bearer.\(token)"])
      _ = try third.text(with: #""auth":"done""#)
      expect(try third.call("session.revoke", #"{"user":"ann"}"#).contains(#""revoked":3"#), "revoked")
      for (name, client) in [("first", first), ("second", second), ("third", third)] { expectEqual(client.closeCode(), 4003, name) }
      let late = try WireClient.open(gateway.address)
      let ids = [late.ask("session.open", #"{"token":"\#(token)"}"#), late.ask("user.get", #"{"user":"ann"}"#), late.ask("session.close")]
      for id in ids { expect(try late.reply(to: id).contains(#""code":100"#), "\(id)") }
      expect(try late.call("session.open", #"{"guest":{}}"#).contains(#""token":"#), "a guest all the same")
      let header = try WireClient(to: gateway.address)
      expectEqual(try header.upgrade(fields: [HeaderField("Authorization", "Bearer \(token)")]).status, 401, "revoked, by header")
      expectEqual(
        try WireClient(to: gateway.address).upgrade(fields: [HeaderField("Authorization", "Bearer x")]).status, 401, "bad, by header")
      for bad in [token, "x"] {
        let client = try WireClient.open(gateway.address, subprotocols: ["bearer.\(bad)"])
        expectEqual(client.closeCode(), 4002, "refused by close code")
      }
      await gateway.stop()
    }

    @Test func `a session that is not opened, or whose token ends, is closed at its time`() async throws {
      let hasty = try await TestGateway.start { $0.limits.authenticationMs = 50 }
      let silent = try WireClient.open(hasty.address)
      expectEqual(silent.closeCode(), 4000, "nobody came")
      await hasty.stop()
      let gateway = try await TestGateway.start()
      let expired = try WireClient.open(gateway.address)
      let token = try TestGateway.token(of: "ann", lifetime: -27)
      expect(try expired.call("session.open", #"{"token":"\#(token)"}"#).contains(#""result""#), "within the leeway")
      _ = try expired.text(with: "session.expiring")
      expect(try expired.call("user.get", #"{"user":"ann"}"#).contains("result"), "announced, and still there")
      expectEqual(expired.closeCode(), 4001, "beyond its end")
      await gateway.stop()
    }

    @Test func `a connection with many calls under way is not read, and loses none`() async throws {
      let gateway = try await TestGateway.start { $0.limits.maxInFlight = 2 }
      let ann = try gateway.guest("ann")
      let ids = (0..<200).map { ann.ask("user.createIfNotExists", #"{"user":"ann","name":"\#($0)"}"#) }
      for id in ids { expect(try ann.reply(to: id).contains("user"), "\(id)") }
      let gone = try gateway.guest("bob")
      for _ in 0..<200 { gone.ask("conversation.createIfNotExists", #"{"conversation":"general"}"#) }
      gone.vanish()
      await gateway.stop()
    }

    @Test func `a guest whose sessions were revoked comes back at once`() async throws {
      let gateway = try await TestGateway.start()
      // Three times, as a second may end in between.
      for round in 1...3 {
        let ann = try gateway.guest("ann")
        _ = ann.ask("session.revoke", #"{"user":"ann"}"#)
        expectEqual(ann.closeCode(), 4003, "revoked, \(round)")
        let again = try WireClient.open(gateway.address).enter(as: "ann")
        expect(again.contains(#""id":"ann""#), "there is no token to refuse, \(round): \(again)")
      }
      await gateway.stop()
    }

    @Test func `presence and subscriptions end with the connection`() async throws {
      let gateway = try await TestGateway.start()
      let ann = try gateway.guest("ann")
      _ = try ann.call("subscribe", #"{"topic":"online:bob"}"#)
      _ = try ann.text(with: #""topic":"online:bob""#, #""snapshot":null"#)
      let bob = try gateway.guest("bob")
      expect(try bob.call("user.set", #"{"user":"bob","name":"Bob"}"#).contains("Bob"), "stored")
      for client in [ann, bob] { _ = try client.call("conversation.createIfNotExists", #"{"conversation":"general"}"#) }
      let direct = try ann.call("conversation.createIfNotExists", #"{"type":"direct","with":"bob"}"#)
      expect(direct.contains(#""created":true"#), direct)
      _ = try ann.call("unsubscribe", #"{"topic":"online:bob"}"#)
      _ = try ann.call("subscribe", #"{"topic":"online:bob"}"#)
      _ = try ann.text(with: #""topic":"online:bob""#, #""isConnected":true"#)
      expect(await gateway.shows("parley_subscriptions{") { $0.contains { $0.hasSuffix(" 1") } }, "a subscription is counted")
      // Somebody who opens a session and is gone before it is open leaves no ghost.
      let ghost = try WireClient.open(gateway.address)
      ghost.ask("session.open", #"{"guest":{"id":"bob"}}"#)
      ghost.vanish()
      bob.vanish()
      _ = try ann.text(with: #""topic":"online:bob""#, #""isConnected":false"#)
      ann.vanish()
      expect(await gateway.shows("parley_subscriptions{") { !$0.isEmpty && $0.allSatisfy { $0.hasSuffix(" 0") } }, "the gauges are back")
      await gateway.stop()
    }

    @Test func `HTTP addresses answer, and health answers alone where descriptors are short`() async throws {
      let gateway = try await TestGateway.start()
      let cases: [(path: String, method: String, status: Int, part: String)] = [
        ("/livez", "GET", 200, #""status":"ok""#), ("/readyz", "GET", 200, #""status":"ok""#), ("/health", "GET", 200, "ok"),
        ("/livez", "HEAD", 200, ""),
        ("/", "GET", 200, "<!doctype html>"), ("/metrics", "GET", 200, "parley"), ("/nothing", "GET", 404, ""), ("/", "PUT", 405, ""),
        ("/ws", "GET", 426, ""),
      ]
      for (path, method, status, part) in cases {
        let answer = try WireClient(to: gateway.address).request(path, method: method)
        expectEqual(answer.status, status, "\(method) \(path)")
        expect(part.isEmpty || answer.body.contains(part), "\(path): \(answer.body)")
      }
      expectEqual(try WireClient(to: gateway.address).request("/metrics", fields: ["Via: 1.1 x"]).status, 404, "not through a proxy")
      await gateway.stop()

      let full = try await TestGateway.start { $0.connections.ordinaryDescriptors = 0 }
      for path in ["/livez", "/readyz", "/health"] {
        let answer = try WireClient(to: full.address).request(path)
        expectEqual(answer.status, 200, path)
        expectEqual(answer.value(of: "Connection"), "close", "\(path) keeps no descriptor")
      }
      for path in ["/", "/metrics", "/nothing"] {
        let answer = try WireClient(to: full.address).request(path)
        expectEqual(answer.status, 503, path)
        expect(answer.value(of: "Retry-After") != nil, "\(path) says when to come back")
      }
      expectEqual(try WireClient(to: full.address).upgrade().status, 503, "no upgrade")
      await full.stop()
    }

    @Test func `what health checks hold beyond the limit fits into the descriptors that are kept for them`() {
      let rows: [(limit: UInt64, loops: Int, ordinary: Int, spares: Int)] = [
        (1_024, 1, 960, 23), (1_024, 2, 960, 15), (1_024, 0, 960, 23), (128, 1, .max, 23), (129, 1, 65, 23), (.max, 1, .max - 64, 23),
        (1_024, 23, 960, 1), (1_024, 24, 958, 1), (1_024, 63, 880, 1), (1_024, 256, .max, 1), (4_096, 256, 3_566, 1),
      ]
      for (limit, loops, ordinary, spares) in rows {
        var limits = ConnectionLimits()
        limits.keepSpareDescriptors(of: limit, loops: loops)
        expectEqual([limits.ordinaryDescriptors, limits.maxSpares], [ordinary, spares], "\(limit) descriptors, \(loops) loops")
        guard ordinary < .max - 64 else { continue }
        let held = (max(1, loops) + 1) * (limits.maxSpares + 1)
        expect(Int(limit) - ordinary - held >= 16, "\(loops) loops leave descriptors for files")
      }
    }

    @Test func `a stop says goodbye to everybody`() async throws {
      let gateway = try await TestGateway.start {
        $0.connections.drainMs = 5_000
        $0.connections.lingerMs = 10_000
      }
      let clients = try (0..<30).map { try gateway.guest("guest\($0)") }
      let idle = try WireClient(to: gateway.address)
      _ = try idle.request("/livez")
      let partial = try WireClient(to: gateway.address)
      partial.send(bytes: Array("GET / HTTP/1.1\r\n".utf8))
      let unauthenticated = try WireClient.open(gateway.address)
      let ids = clients.map { $0.ask("conversation.createIfNotExists", #"{"conversation":"general"}"#) }
      async let stopped: Void = gateway.stop()
      for (place, client) in clients.enumerated() {
        expect(try client.reply(to: ids[place]).contains(#""conversation":"#), "\(place): a call under way is answered")
        let goAway = try client.text(with: #""method":"goAway""#)
        expect(goAway.contains(#""reason":"restart""#) && goAway.contains(#""deadlineMs":5000"#), goAway)
      }
      let health = try idle.request("/readyz")
      expect(health.status == 503 && health.body.contains("draining"), "health is told to the end: \(health)")
      for client in clients + [unauthenticated] {
        expectEqual(client.closeCode(), 1012, "closed")
        client.shutdown()
      }
      expect(idle.ends() && partial.ends(), "these stay to the end")
      await stopped

      let quiet = try await TestGateway.start { $0.connections.drainMs = 60_000 }
      let kept = try (0..<5).map { _ in try WireClient(to: quiet.address) }
      for client in kept { _ = try client.request("/livez") }
      let start = Tick.now()
      await quiet.stop()
      expect(Tick.now().milliseconds(since: start) < 10_000, "idle connections do not hold a stop up")
      for client in kept { expect(client.ends(), "closed") }
    }

    @Test func `a stop waits once for those who take nothing, of the chat and of the metrics`() async throws {
      let gateway = try await TestGateway.start {
        $0.loops = 1
        $0.hasMetricsAddress = true
        $0.connections.farewellMs = 2_000
        $0.connections.outboundBytes = 256_000_000
      }
      var deaf: [WireClient] = []
      for (address, path) in [(gateway.address, "/"), (try #require(gateway.metricsAddress), "/metrics")] {
        let client = try WireClient(to: address, receiveBuffer: 4_096)
        client.send(bytes: Array(repeating: Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), count: 300).flatMap { $0 })
        deaf.append(client)
        // One go of the deaf client for each of these.
        let other = try WireClient(to: address)
        for _ in 0..<300 { expectEqual(try other.request("/livez").status, 200, path) }
      }
      let start = Tick.now()
      await gateway.stop()
      let took = Tick.now().milliseconds(since: start)
      expect(took >= 2_000, "somebody is waited for, not \(took) ms")
      expect(took < 3_900, "both at once, not \(took) ms")
      for client in deaf { client.vanish() }
    }

    @Test func `a stop ends at its time though nobody reads`() async throws {
      let gateway = try await TestGateway.start { $0.connections.drainMs = 400 }
      let deaf = try (0..<3).map { try gateway.guest("deaf\($0)") }
      await gateway.stop()
      for client in deaf { expectEqual(client.closeCode(), 1012, "the close frame came all the same") }
    }
  }
}
