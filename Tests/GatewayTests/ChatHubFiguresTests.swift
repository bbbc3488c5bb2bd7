import Crypto
import GatewayProtocol
import HTTPProtocol
import Locks
import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

extension OverSockets {
  @Suite struct ChatHubFiguresTests {
    /// What people write and what opens doors: neither may be in a line or on the page.
    private static let secrets = ["mellon", "Subject of ours", "Their name", "custom-value", "reason-of-mine"]

    @Test func `the log tells who came and went and why, and never a token or a text`() async throws {
      let lines = Lock<[String]>([])
      let gateway = try await TestGateway.start { settings in
        settings.allowsQueryToken = true
        settings.log = { event in lines.withLock { $0.append(LogLine.json(event)) } }
      }
      let good = try TestGateway.token(of: "ann")
      let bad = String(good.dropLast(4)) + "AAAA"
      let old = try TestGateway.token(of: "ann", lifetime: -3_600)

      let ann = try WireClient.open(gateway.address, fields: [HeaderField("Authorization", "Bearer \(good)")])
      _ = try ann.text(with: #""auth":"done""#)
      _ = try ann.call(
        "conversation.createIfNotExists", #"{"conversation":"room","subject":"Subject of ours","custom":{"a":"custom-value"}}"#)
      _ = try ann.call("conversation.send", #"{"conversation":"room","text":"mellon"}"#)
      _ = try ann.call("mellon", #"{"mellon":"mellon"}"#)
      _ = try ann.call("user.set", #"{"user":"ann","name":"Their name"}"#)
      for (token, reason) in [(bad, "signature"), (old, "expired"), ("mellon", "malformed")] {
        expectEqual(
          try WireClient(to: gateway.address).upgrade(fields: [HeaderField("Authorization", "Bearer \(token)")]).status, 401, reason)
        let client = try WireClient.open(gateway.address)
        _ = try client.call("session.open", #"{"token":"\#(token)"}"#)
        expectEqual(try WireClient(to: gateway.address).upgrade(path: "/ws?token=\(token)").status, 401, reason)
      }
      let app = try WireClient.open(gateway.address)
      _ = try app.call("session.open", #"{"token":"\#(try TestGateway.token(of: "backend", type: .app))"}"#)
      _ = try app.call("session.revoke", #"{"user":"ann"}"#)
      expectEqual(ann.closeCode(), 4003, "revoked")
      ann.shutdown()
      _ = try app.call("session.close", "{}")
      // A refresh that is refused is counted as an opening is.
      let bob = try WireClient.open(gateway.address)
      _ = try bob.call("session.open", #"{"token":"\#(try TestGateway.token(of: "bob"))"}"#)
      _ = try bob.call("session.refresh", #"{"token":"\#(try TestGateway.token(of: "eve"))"}"#)
      let counted = await gateway.shows("parley_tokens_refused_total{reason=\"claims\"}") { $0.first?.hasSuffix(" 1") == true }
      expect(counted, "another user's token")
      let isSeen = await gateway.shows("parley_sessions_opened_total{kind=\"app\"}") { $0.first?.hasSuffix(" 1") == true }
      expect(isSeen, "the sessions are counted")
      let page = gateway.server.services.monitoring.metricsPage()
      await gateway.stop()

      let log = lines.withLock { $0 }
      for part in [
        #""event":"session opened","connection":""#, #""user":"ann","kind":"user","cause":"revoked""#,
        #""event":"sessions revoked""#, #""user":"backend","kind":"app","cause":"session_closed""#, #""event":"token refused""#,
        #""reason":"signature""#, #""reason":"expired""#, #""reason":"claims""#, #""event":"connection opened""#,
        #""event":"connection ended""#,
      ] {
        expect(log.contains { $0.contains(part) }, "no line with \(part)")
      }
      for secret in Self.secrets + [good, bad, old] {
        for piece in secret.split(separator: ".").map(String.init) {
          expectEqual(log.filter { $0.contains(piece) }, [], "a line with \(piece)")
          expect(!page.contains(piece), "the page has \(piece)")
        }
      }
      for word in ["ann", "backend", "room"] { expect(!page.contains("\"\(word)\""), "the page has \(word)") }
    }

    @Test func `thousands of users, rooms and methods make no series`() async throws {
      let gateway = try await TestGateway.start { $0.limits.maxInFlight = 5_000 }
      func series() -> Set<Substring> {
        let lines = gateway.server.services.monitoring.metricsPage().split(separator: "\n")
        return Set(lines.filter { !$0.hasPrefix("#") }.map { $0.prefix(upTo: $0.lastIndex(of: " ") ?? $0.endIndex) })
      }
      let counted = { (name: String, least: Int) in
        await gateway.shows("parley_operations_total{method=\"\(name)\"") { lines in
          lines.reduce(0) { $0 + ($1.split(separator: " ").last.flatMap { Int($0) } ?? 0) } >= least
        }
      }
      let client = try gateway.guest("first")
      for method in ["nothing", "subscribe", "user.get"] { _ = try client.call(method, #"{"user":"x","topic":"user:x"}"#) }
      for name in ["other", "subscribe", "user.get"] { expect(await counted(name, 1), name) }
      let before = series()
      for number in 0..<1_000 {
        _ = client.ask("random\(number)", "{}")
        _ = client.ask("user.get", #"{"user":"user\#(number)"}"#)
        _ = client.ask("subscribe", #"{"topic":"messages:room\#(number)"}"#)
      }
      expect(await counted("other", 1_000), "methods")
      expect(await counted("subscribe", 1_000), "rooms")
      expect(await counted("user.get", 1_000), "users")
      expectEqual(series().symmetricDifference(before).sorted(), [], "series that came or went")
      await gateway.stop()
    }

    @Test func `what a reader leaves waiting is on the page, and gone when it is gone`() async throws {
      let gateway = try await TestGateway.start { $0.loops = 1 }
      let bob = try gateway.guest("bob")
      let ann = try WireClient.open(gateway.address, receiveBuffer: 4_096)
      try ann.enter(as: "ann")
      for client in [bob, ann] { _ = try client.call("conversation.createIfNotExists", #"{"conversation":"room"}"#) }
      _ = try ann.call("subscribe", #"{"topic":"messages:room"}"#)
      _ = try ann.text(with: #""state":"active""#)
      let text = String(repeating: "x", count: 9_000)
      let value = { (lines: [Substring]) in lines.first?.split(separator: " ").last.flatMap { Int($0) } ?? 0 }
      var isBlocked = false
      for _ in 0..<20 where !isBlocked {
        for _ in 0..<30 { _ = try bob.call("conversation.send", #"{"conversation":"room","text":"\#(text)"}"#) }
        isBlocked = gateway.server.services.monitoring.metricsPage().contains("parley_blocked_connections 1\n")
      }
      expect(await gateway.shows("parley_blocked_connections ") { value($0) == 1 }, "blocked")
      expect(await gateway.shows("parley_queue_bytes ") { value($0) > 10_000 }, "bytes")
      expect(await gateway.shows("parley_largest_queue_bytes ") { value($0) > 10_000 }, "the largest")
      ann.vanish()
      for name in ["blocked_connections", "queue_bytes", "largest_queue_bytes"] {
        expect(await gateway.shows("parley_\(name) ") { value($0) == 0 }, "\(name) is nothing again")
      }
      await gateway.stop()
    }
  }
}
