import Locks
import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

extension OverSockets {
  @Suite struct ConnectionContextTests {
    @Test func `silent sockets beyond a limit make room for a health check, and go soon by themselves`() async throws {
      let bench = try await ConnectionBench.start {
        $0.maxConnections = 2
        $0.maxSpares = 3
        $0.spareMs = 60_000
      }
      let ordinary = try (0..<2).map { _ in try WireClient(to: bench.address) }
      expect(await bench.holds { $0.context.connections.count == 2 }, "two are within the limit")
      var silent = try (0..<3).map { _ in try WireClient(to: bench.address) }
      expect(await bench.holds { $0.context.connections.count == 5 }, "three beyond it")
      for index in 0..<3 {
        let check = try WireClient(to: bench.address)
        let answer = try check.request("/livez")
        expectEqual(answer.status, 200, "a health check is answered at once: \(index)")
        expectEqual(answer.value(of: "Connection"), "close", "and keeps no descriptor")
        expect(silent.removeFirst().ends(), "the oldest silent socket went: \(index)")
        expect(check.ends(), "and so does the check: \(index)")
        check.vanish()
        expect(await bench.holds { $0.context.connections.count == 4 }, "its place is free: \(index)")
        silent.append(try WireClient(to: bench.address))
        expect(await bench.holds { $0.context.connections.count == 5 }, "three beyond the limit again: \(index)")
      }
      let counts = await bench.onLoop { station, _ in station.context.metrics.connections }
      expectEqual([counts.refused(.evicted), counts.closed(.overloaded)], [3, 3], "counted")
      for client in ordinary { expectEqual(try client.request("/x").status, 200, "who is within the limit stays") }
      await bench.stop()

      let hasty = try await ConnectionBench.start {
        $0.maxConnections = 1
        $0.spareMs = 50
      }
      let first = try WireClient(to: hasty.address)
      expectEqual(try first.request("/x").status, 200, "within the limit")
      expect(try WireClient(to: hasty.address).ends(), "beyond it silence ends soon")
      expect(await hasty.ended(.handshakeTimeout), "its cause")
      first.vanish()
      expect(await hasty.holds { $0.context.connections.isEmpty }, "nothing is left")
      let second = try WireClient(to: hasty.address)
      expect(await hasty.holds { $0.context.connections.values.first?.isSpare == false }, "its place is free again")
      second.vanish()
      await hasty.stop()
    }

    @Test func `the place of an address is free again however its connection ends`() async throws {
      let bench = try await ConnectionBench.start {
        $0.maxPerAddress = 1
        $0.heartbeatMs = 200
        $0.graceMs = 100
      }
      let endings: [(String, (WireClient) -> Void)] = [
        ("closed", { $0.close() }), ("gone", { $0.vanish() }), ("half closed", { $0.shutdown() }),
        ("broken", { $0.send(bytes: [0xFF, 0xFF]) }), ("silent", { _ in }),
      ]
      for (name, ending) in endings {
        let client = try WireClient.open(bench.address)
        expectEqual(client.next(), .text("hello"), name)
        let second = try WireClient(to: bench.address)
        let refused = try second.upgrade()
        expectEqual(refused.status, 429, "\(name): a second one")
        expect(refused.value(of: "Retry-After") != nil && refused.body.contains("this address"), "\(name): \(refused)")
        expectEqual(try WireClient(to: bench.address).request("/livez").status, 200, "\(name): requests are not counted")
        ending(client)
        expect(await bench.holds { $0.context.connections.isEmpty }, "\(name): over")
      }
      let last = try WireClient.open(bench.address)
      expectEqual(last.next(), .text("hello"), "one fits, and not two")
      expectEqual(try WireClient(to: bench.address).upgrade().status, 429, "one fits, and not two")
      await bench.stop()
    }

    @Test func `at the end what is owed is sent before a connection is closed`() async throws {
      // More than the kernel takes of one socket.
      let bench = try await ConnectionBench.start { $0.outboundBytes = 32_000_000 }
      let half = try WireClient(to: bench.address, receiveBuffer: 100_000)
      half.send(bytes: Array("GET /huge HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      let idle = try WireClient(to: bench.address)
      _ = try idle.request("/x")
      expect(await bench.holds { $0.context.connections.values.contains { $0.machine.isWriteBlocked } }, "an answer is half sent")
      let isDone = Lock(false)
      await bench.onLoop { station, loop in station.context.endAll(on: loop) { isDone.withLock { $0 = true } } }
      expect(idle.ends(), "who is owed nothing is closed at once")
      expect(!isDone.withLock { $0 }, "the other is waited for")
      expectEqual(try half.answer().body.utf8.count, 16_000_000, "the whole answer")
      expect(half.ends(), "then the end")
      half.vanish()
      expect(await bench.holds { $0.context.connections.isEmpty } && isDone.withLock { $0 }, "all are gone")
      await bench.onLoop { station, loop in station.context.endAll(on: loop) { isDone.withLock { $0 = false } } }
      expect(!isDone.withLock { $0 }, "without connections it is done at once")
      await bench.loop.stop()
    }
  }
}
