import Compression
import Locks
import Observability
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  /// What one connection sends does not keep the others waiting.
  @Suite struct ConnectionTurnTests {
    /// 128 KiB that become some 600 bytes.
    private static func bomb() throws -> [UInt8] {
      let text = Array("drop".utf8) + [UInt8](repeating: 0x61, count: 131_068)
      let deflater = try #require(Deflater(windowBits: 12, keepsContext: false))
      let output = OutputBuffer()
      return try withExtendedLifetime(output) {
        try #require(text.withUnsafeBytes { deflater.compress($0, into: output).map { WireClient.compressedFrame(.text, Array($0)) } })
      }
    }

    @Test func `much work in one packet is done a piece at a time, and others are served in between`() async throws {
      let request = Array("GET /missing-not HTTP/1.1\r\nHost: x\r\n\r\n".utf8)
      let bombs = Array(repeating: try Self.bomb(), count: 400).flatMap { $0 }
      let close = WireClient.frame(.close, [0x03, 0xE8])
      let attacks: [(String, isUpgraded: Bool, [UInt8])] = [
        ("bombs", true, Array(bombs.prefix(60_000))),
        (
          "bombs, then the end", true, Array(repeating: try Self.bomb(), count: 20).flatMap { $0 } + close
        ),
        ("pings", true, Array(repeating: WireClient.frame(.ping, []), count: 8_000).flatMap { $0 }),
        ("small messages", true, Array(repeating: WireClient.frame(.text, Array("drop".utf8)), count: 5_000).flatMap { $0 }),
        ("requests", false, Array(repeating: request, count: 1_400).flatMap { $0 }),
      ]
      for (name, isUpgraded, bytes) in attacks {
        let bench = try await ConnectionBench.start { $0.inflatedPerSecond = 0 }
        let attacker =
          isUpgraded ? try WireClient.open(bench.address, deflate: DeflateOffer()) : try WireClient(to: bench.address)
        let witness = try WireClient.open(bench.address)
        expectEqual(witness.next(), .text("hello"))
        if isUpgraded { expectEqual(attacker.next(), .text("hello")) } else { expectEqual(try attacker.request("/a").status, 200) }
        // The loop is held, so that all of it has come when the loop looks, the attacker's bytes first.
        let hold = await bench.hold()
        expectEqual(attacker.sendNow(bytes), bytes.count, "\(name): in one piece")
        witness.send(bytes: WireClient.frame(.text, Array("left".utf8)))
        let isEnded = name == "bombs, then the end"
        if isEnded { attacker.shutdown() }
        hold.goOn()
        let left = witness.nextText().flatMap { Int($0) } ?? 0
        expect(left > bytes.count / 3, "\(name): \(left) of \(bytes.count) bytes wait when the other is served")
        if isEnded {
          expectEqual(attacker.closeCode(), 1000, "\(name): what was sent before the end is taken")
          expectEqual(await bench.onLoop { station, _ in station.receiver.dropped }, 20, name)
        }
        if name == "pings" {
          var pongs = 0
          while pongs < 8_000, attacker.next() == .pong("") { pongs += 1 }
          expectEqual(pongs, 8_000, "all are answered in the end")
        }
        attacker.vanish()
        await bench.stop()
      }
    }

    @Test func `who asks for many pages of metrics waits for the others after each`() async throws {
      let bench = try await ConnectionBench.start()
      // Pages that were made, and how many there were at each check.
      let seen = Lock((pages: 0, checks: [Int]()))
      let monitoring = Monitoring(
        loops: 1, empty: LoopMetrics(methods: 0, topicKinds: 0), now: Tick.now().milliseconds,
        readiness: {
          seen.withLock { $0.checks.append($0.pages) }
          return []
        },
        page: { _, _ in
          seen.withLock { $0.pages += 1 }
          return "page"
        })
      await bench.onLoop { station, _ in station.context.requests = MetricsRequests(monitoring: monitoring, isLoopbackOnly: true) }
      let (greedy, witness) = (try WireClient(to: bench.address), try WireClient(to: bench.address))
      for client in [greedy, witness] { expectEqual(try client.request("/livez").status, 200, "known to the loop") }
      let hold = await bench.hold()
      greedy.send(bytes: Array(repeating: Array("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8), count: 32).flatMap { $0 })
      witness.send(bytes: Array("GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n".utf8))
      hold.goOn()
      for _ in 0..<32 { expectEqual(try greedy.answer().status, 200, "all are answered") }
      expectEqual(try witness.answer().status, 503, "starting")
      // Each page asks for the checks once; the witness's is one more of a number.
      let checks = seen.withLock { $0.checks }
      let before = zip(checks, checks.dropFirst()).first { $0 == $1 }?.0
      expect(before.map { $0 <= 2 } ?? false, "pages before the witness's turn: \(before ?? -1)")
      await bench.stop()
    }

    @Test func `who leaves while it waits for its budget is kept by nothing`() async throws {
      let bench = try await ConnectionBench.start { $0.inflatedPerSecond = 5_000 }
      let client = try WireClient.open(bench.address, deflate: DeflateOffer())
      client.send(bytes: Array(repeating: try Self.bomb(), count: 26).flatMap { $0 })
      expect(await bench.holds { $0.receiver.dropping != nil }, "it waits for some twenty seconds")
      client.vanish()
      expect(await bench.holds { $0.context.connections.isEmpty && $0.receiver.dropping == nil }, "it is gone")
      await bench.stop()
    }

    @Test func `who has much inflated for few bytes is read more slowly, and nothing is lost`() async throws {
      let bench = try await ConnectionBench.start { $0.inflatedPerSecond = 1_000_000 }
      let client = try WireClient.open(bench.address, deflate: DeflateOffer())
      let other = try WireClient.open(bench.address)
      expectEqual([client.next(), other.next()], [.text("hello"), .text("hello")])
      let start = Tick.now()
      client.send(bytes: Array(repeating: try Self.bomb(), count: 26).flatMap { $0 } + WireClient.frame(.text, Array("behind".utf8)))
      other.send(bytes: WireClient.frame(.text, Array("beside".utf8)))
      expectEqual(other.nextText(), "beside", "the other is served")
      expect(await bench.holds { $0.receiver.dropped >= 16 }, "two seconds' worth at once")
      expectEqual(client.nextText(), "behind", "and the rest as the rate says")
      let took = Tick.now().milliseconds(since: start)
      expect(took >= 1_300, "\(took) ms for 3.4 MB")
      expectEqual(await bench.onLoop { station, _ in station.receiver.dropped }, 26, "all of them")
      await bench.stop()
    }
  }
}
