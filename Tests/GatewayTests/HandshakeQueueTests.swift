import TLS
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct HandshakeQueueTests {
    @Test func `a crowd of handshakes is served one a round, and others in between`() async throws {
      let bench = try await ConnectionBench.start(tls: .server())
      let context = try TLSContext.client(trusting: .anybody)
      let client = try WireClient.open(bench.address, over: context)
      expectEqual(client.next(), .text("hello"), "open")
      let hold = await bench.hold()
      let crowd = try await OverSockets.blocking { () -> Crowd in
        let hello = try ConnectionTLSTests.hello(context)
        return Crowd(
          clients: try (0..<60).map { _ in
            let client = try WireClient(to: bench.address)
            client.send(raw: hello)
            return client
          })
      }
      // The first round accepts them, the second one sees their bytes and this.
      client.send("begun")
      hold.goOn()
      var counts: [Int] = []
      for _ in 0..<100 {
        guard let text = client.nextText(), let count = Int(text) else { break }
        counts.append(count)
        if count > 60 { break }
        client.send("begun")
      }
      // The one that asks has begun long ago.
      expectEqual(counts.last, 61, "all get their turn")
      expect((counts.first ?? 61) <= 4, "the first answer did not wait for the crowd: \(counts)")
      expect(counts.count >= 3, "answers came in between: \(counts)")
      withExtendedLifetime(crowd) {}
      await bench.stop()
    }

    /// Carries clients out of the thread that made them; nobody touches them there any more.
    private struct Crowd: @unchecked Sendable {
      // Sound: handed over once, by a continuation.
      let clients: [WireClient]
    }

    @Test func `who ends while waiting takes no turn from the others`() async throws {
      let bench = try await ConnectionBench.start(tls: .server())
      let context = try TLSContext.client(trusting: .anybody)
      let hello = try ConnectionTLSTests.hello(context)
      var crowd = try (0..<20).map { _ in try WireClient(to: bench.address) }
      for client in crowd { client.send(raw: hello) }
      for index in stride(from: 0, to: 20, by: 2) { crowd[index].vanish() }
      expect(await bench.holds { $0.context.connections.values.filter { $0.secure?.hasBegun == true }.count == 10 }, "the rest")
      let whole = try WireClient(to: bench.address, over: context)
      expectEqual(try whole.request("/one").body, "/one\n", "and those who come later")
      crowd = []
      await bench.stop()
    }
  }
}
