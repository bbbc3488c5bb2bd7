import Observability
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct ConnectionTests {
    @Test func `requests are answered one after the other, also in one packet, and the last one before the end`() async throws {
      let bench = try await ConnectionBench.start()
      let client = try WireClient(to: bench.address)
      for path in ["/one", "/two"] { expectEqual(try client.request(path).body, "\(path)\n", path) }
      let three =
        "GET /a HTTP/1.1\r\nHost: x\r\n\r\nHEAD /b HTTP/1.1\r\nHost: x\r\n\r\nGET /c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
      client.send(bytes: Array(three.utf8))
      expectEqual(try client.answer().body, "/a\n", "pipelined")
      expectEqual(try client.answer(isForHead: true).value(of: "Content-Length"), "3", "HEAD has the length and no body")
      let last = try client.answer()
      expectEqual(last.body, "/c\n", "pipelined")
      expectEqual(last.value(of: "Connection"), "close", "as asked")
      expect(client.ends(), "closed as asked")
      expect(await bench.ended(.requestServed), "its cause")

      let half = try WireClient(to: bench.address)
      half.send(bytes: Array("GET /big HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      half.shutdown()
      expectEqual(try half.answer().body.utf8.count, 500_000, "who closes its side gets the answer")
      expect(half.ends(), "and then the end")
      expect(await bench.ended(.requestServed, 2), "its cause")

      let silent = try WireClient(to: bench.address)
      silent.shutdown()
      expect(silent.ends(), "nothing said, nothing answered")
      expect(await bench.ended(.peerVanished), "its cause")
      let partial = try WireClient(to: bench.address)
      partial.send(bytes: Array("GET / HT".utf8))
      partial.shutdown()
      expect(partial.ends(), "half a request")
      expect(await bench.ended(.handshakeFailed), "its cause")
      expectEqual(await bench.onLoop { station, _ in station.context.connections.count }, 0, "nothing is left")
      await bench.stop()
    }

    @Test func `what is no request, or asks too much, is answered and closed`() async throws {
      let bench = try await ConnectionBench.start()
      let cases: [(String, Int, CloseCause)] = [
        ("NONSENSE\r\n\r\n", 400, .handshakeFailed),
        ("GET / HTTP/2.0\r\n\r\n", 505, .handshakeFailed),
        ("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 413, .requestRefused),
        ("GET /missing HTTP/1.1\r\nHost: x\r\n\r\n", 404, .requestRefused),
      ]
      var counts: [CloseCause: UInt64] = [:]
      for (request, status, cause) in cases {
        let client = try WireClient(to: bench.address)
        client.send(bytes: Array(request.utf8))
        expectEqual(try client.answer().status, status, request)
        expect(client.ends(), request)
        counts[cause, default: 0] += 1
        expect(await bench.ended(cause, counts[cause] ?? 0), "\(request): \(cause)")
      }
      expectEqual(await bench.onLoop { station, _ in station.context.metrics.connections.refusals.map(\.count).reduce(0, +) }, 4, "counted")
      await bench.stop()
    }

    @Test func `a request that does not come, or an answer, ends at its time`() async throws {
      let bench = try await ConnectionBench.start { $0.handshakeMs = 50 }
      let silent = try WireClient(to: bench.address)
      expect(silent.ends(), "nothing came")
      expect(await bench.ended(.handshakeTimeout), "its cause")
      let slow = try WireClient(to: bench.address)
      slow.send(bytes: Array("GET / HTTP/1.1\r\n".utf8))
      expectEqual(try slow.answer().status, 408, "half a request came")
      expect(slow.ends(), "closed")
      expect(await bench.ended(.handshakeTimeout, 2), "its cause")
      let kept = try WireClient(to: bench.address)
      _ = try kept.request("/")
      expect(kept.ends(), "no second request came")
      expect(await bench.ended(.requestServed), "its cause")
      let late = try WireClient(to: bench.address)
      expectEqual(try late.request("/late").status, 503, "the answer did not come")
      expect(await bench.ended(.overloaded), "its cause")
      expectEqual(await bench.onLoop { station, _ in station.receiver.endings }, [.overloaded], "who was to answer hears of it")
      await bench.stop()
    }

    @Test func `while an answer is awaited nothing is read, and it is read afterwards`() async throws {
      let bench = try await ConnectionBench.start()
      let client = try WireClient(to: bench.address)
      let requests = "GET /late HTTP/1.1\r\nHost: x\r\n\r\n" + "GET /next HTTP/1.1\r\nHost: x\r\n\r\n"
      client.send(bytes: Array(requests.utf8))
      expect(await bench.holds { $0.requests.waiting.count == 1 }, "the request is there")
      _ = client.sendNow(Array(String(repeating: "GET /more HTTP/1.1\r\nHost: x\r\n\r\n", count: 3_000).utf8))
      await bench.onLoop { station, loop in station.requests.waiting[0].respond(.text(200, "late"), on: loop) }
      expectEqual(try client.answer().body, "late\n", "the late answer")
      expectEqual(try client.answer().body, "/next\n", "what was kept")
      for index in 0..<100 { expectEqual(try client.answer().body, "/more\n", "what was not read: \(index)") }
      client.vanish()

      let gone = try WireClient(to: bench.address)
      gone.send(bytes: Array("GET /late HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
      expect(await bench.holds { $0.requests.waiting.count == 2 }, "the request is there")
      gone.vanish()
      expect(await bench.holds { $0.context.connections.isEmpty }, "who is gone is freed")
      await bench.onLoop { station, loop in station.requests.waiting[1].respond(.text(200, "late"), on: loop) }
      await bench.stop()
    }

    @Test func `frames of any kind are answered or ended as RFC 6455 says`() async throws {
      let bench = try await ConnectionBench.start()
      let frame = WireClient.frame
      let cases: [(String, [UInt8], UInt16, CloseCause)] = [
        ("closed by the client", frame(.close, [0x03, 0xE8], true), 1000, .clientClosed),
        ("unmasked", [0x81, 0x01, 0x61], 1002, .protocolViolation),
        ("not UTF-8", frame(.text, [0xFF], true), 1007, .invalidText),
        ("not UTF-8 in fragments", frame(.text, [0xC3], false) + frame(.continuation, [0x28], true), 1007, .invalidText),
        ("too big", frame(.text, [UInt8](repeating: 0x61, count: (1 << 20) + 1), true), 1009, .tooBig),
        ("a continuation of nothing", frame(.continuation, [], true), 1002, .protocolViolation),
      ]
      var counts: [CloseCause: UInt64] = [:]
      for (name, bytes, code, cause) in cases {
        let client = try WireClient.open(bench.address)
        expectEqual(client.next(), .text("hello"), name)
        client.send(bytes: frame(.text, Array("before".utf8), true) + bytes + frame(.text, Array("after".utf8), true))
        expectEqual(client.next(), .text("before"), name)
        expectEqual(client.closeCode(), code, name)
        expect(client.ends(), name)
        counts[cause, default: 0] += 1
        expect(await bench.ended(cause, counts[cause] ?? 0), "\(name): \(cause)")
      }
      let client = try WireClient.open(bench.address)
      expectEqual(client.next(), .text("hello"), "open")
      client.send(
        bytes: frame(.text, Array("a".utf8), false) + frame(.ping, Array("p".utf8), true) + frame(.continuation, Array("b".utf8), true))
      expectEqual(client.next(), .pong("p"), "a ping between fragments")
      expectEqual(client.next(), .text("ab"), "fragments")
      client.vanish()
      expect(await bench.ended(.peerVanished), "gone")
      let endings = await bench.onLoop { station, _ in station.receiver.endings.count }
      expectEqual(endings, cases.count + 1, "each ending is told once")
      expectEqual(await bench.onLoop { station, _ in station.context.metrics.connections.current }, 0, "and counted once")
      await bench.stop()
    }

    @Test func `an upgrade for whose answer there is no room ends, and nobody hears of a beginning`() async throws {
      let big = HTTPResponse(status: 200, body: Array(repeating: 0x61, count: 500_000)).bytes(keepsAlive: true, isForHead: false).count
      let bench = try await ConnectionBench.start {
        // Room for two answers, and not for a third.
        $0.outboundBytes = 2 * big + 50
        $0.heartbeatMs = 60_000
      }
      let client = try WireClient(to: bench.address, receiveBuffer: 4_096)
      let get = { (path: String) in Array("GET \(path) HTTP/1.1\r\nHost: x\r\n\r\n".utf8) }
      client.send(bytes: get("/huge"))
      expect(await bench.holds { $0.context.queueDepth.connections == 1 }, "the socket takes no more")
      let upgrade =
        "GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        + "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
      client.send(bytes: get("/big") + get("/big") + Array(upgrade.utf8))
      expect(await bench.ended(.slowReader), "freed as soon as it lingered")
      expectEqual(await bench.onLoop { station, _ in [station.receiver.opened, station.receiver.endings.count] }, [0, 1], "told")
      await bench.stop()
    }

    @Test func `pongs that were sent are not taken for what waits`() async throws {
      let bench = try await ConnectionBench.start { $0.outboundBytes = 64 << 20 }
      let client = try WireClient.open(bench.address, receiveBuffer: 4_096)
      let pings = Array(repeating: WireClient.frame(.ping, [UInt8](repeating: 0x62, count: 125)), count: 2_000).flatMap { $0 }
      var rest = pings[...]
      while await bench.onLoop({ station, _ in station.context.queueDepth.bytes }) < 1_000_000 {
        rest = rest.dropFirst(client.sendNow(Array(rest)))
        if rest.isEmpty { rest = pings[...] }
      }
      let isSo = await bench.onLoop { station, _ in station.context.connections.values.allSatisfy { $0.pongBytes <= $0.waitingBytes } }
      expect(isSo, "what the socket took is no pong that waits")
      client.vanish()
      await bench.stop()
    }

    @Test func `who reads slower than it is written to is cut off, by messages as by pongs`() async throws {
      let bench = try await ConnectionBench.start { $0.outboundBytes = 50_000 }
      let text = [UInt8](repeating: 0x61, count: 40_000)
      for (place, frame) in [WireClient.frame(.text, text), WireClient.frame(.ping, [UInt8](repeating: 0x62, count: 125))].enumerated() {
        let client = try WireClient.open(bench.address, receiveBuffer: 4_096)
        expectEqual(client.next(), .text("hello"), "open")
        let many = (0..<(200_000 / frame.count)).flatMap { _ in frame }
        let start = Tick.now()
        // What the kernel did not take comes next: else a frame would begin within another.
        var rest = many[...]
        while await bench.onLoop({ station, _ in station.context.metrics.delivery.slowConsumerCloses }) <= place,
          Tick.now().milliseconds(since: start) < 20_000
        {
          rest = rest.dropFirst(client.sendNow(Array(rest)))
          if rest.isEmpty { rest = many[...] }
        }
        expect(await bench.ended(.slowReader, UInt64(place) + 1), "freed though nothing is read")
      }
      expectEqual(await bench.onLoop { station, _ in station.receiver.endings }, [.slowReader, .slowReader], "told")

      let reader = try WireClient.open(bench.address)
      expectEqual(reader.next(), .text("hello"), "open")
      // More in one turn than may wait: what the socket takes does not count.
      let burst = (0..<20).map { _ in WireClient.frame(.text, [UInt8](repeating: 0x63, count: 3_000)) }
      for round in 0..<20 {
        reader.send(bytes: burst.flatMap { $0 })
        for index in 0..<20 { expectEqual(reader.nextText()?.utf8.count, 3_000, "who reads gets all: \(round), \(index)") }
      }
      await bench.stop()
    }

    @Test func `silence is asked about and then ended`() async throws {
      let bench = try await ConnectionBench.start {
        $0.heartbeatMs = 60
        $0.graceMs = 60
      }
      let client = try WireClient.open(bench.address)
      expectEqual(client.next(), .text("hello"), "open")
      for round in 0..<3 {
        expectEqual(client.next(), .ping(""), "ping \(round)")
        client.send(.pong)
      }
      expectEqual(client.next(), .ping(""), "the last ping")
      expectEqual(client.next(), .end, "no answer, no close frame")
      expect(await bench.ended(.keepAliveExpired), "its cause")
      await bench.stop()
    }

    @Test func `a receiver that wants no more is not written to, and nothing is lost`() async throws {
      let bench = try await ConnectionBench.start {
        $0.heartbeatMs = 300
        $0.graceMs = 300
      }
      let client = try WireClient.open(bench.address)
      expectEqual(client.next(), .text("hello"), "open")
      // Far more than fits into a read buffer, in frames as small as they come.
      let count = 30_000
      let frames = (0..<count).flatMap { WireClient.frame(.text, Array("hold\($0)".utf8)) }
      var sent = client.sendNow(frames)
      expect(await bench.holds { $0.receiver.held.count == 3 }, "three are taken")
      expectEqual(await bench.onLoop { station, _ in station.receiver.held.count }, 3, "and no more")
      var received = 0
      while received < count {
        let progress = await bench.onLoop { station, loop -> Int in
          let held = station.receiver.held
          station.receiver.held = []
          for (connection, text) in held {
            connection.send(text: text, on: loop)
            connection.resumeReading(on: loop)
            connection.resumeReading(on: loop)
          }
          return held.count
        }
        for _ in 0..<progress {
          expectEqual(client.nextText(), "hold\(received)", "in order")
          received += 1
        }
        if sent < frames.count { sent += client.sendNow(Array(frames[sent..<min(sent + 100_000, frames.count)])) }
        if received >= 3_000 { break }
      }
      expectEqual(await bench.onLoop { station, _ in station.context.connections.count }, 1, "alive, though it answered no ping")
      client.vanish()
      expect(await bench.ended(.peerVanished), "who is gone is freed while paused")
      await bench.stop()
    }

    @Test func `nothing holds a connection that ended, nor its receiver a connection`() async throws {
      final class Watch: @unchecked Sendable {
        // Sound: only touched on the loop.
        weak var connection: Connection?
      }
      let bench = try await ConnectionBench.start()
      for ending in ["close", "vanish"] {
        let client = try WireClient.open(bench.address)
        expectEqual(client.next(), .text("hello"), ending)
        let watch = Watch()
        await bench.onLoop { station, _ in watch.connection = station.context.connections.values.first }
        expect(await bench.onLoop { _, _ in watch.connection != nil }, "\(ending): open")
        if ending == "close" { client.close() } else { client.vanish() }
        expect(await bench.holds { $0.context.connections.isEmpty && watch.connection == nil }, "\(ending): gone")
      }
      await bench.stop()
    }

    @Test func `an idle connection is small`() async throws {
      // With its entries in tables, a timer and the kernel's part, 4 KiB of resident memory are the budget.
      let parts = [
        MemoryLayout<ConnectionMachine>.stride, MemoryLayout<WebSocketMachine>.stride, MemoryLayout<KeepAliveMachine>.stride,
        MemoryLayout<OutboundQueue>.stride, MemoryLayout<SocketAddress>.stride,
      ]
      expect(parts.reduce(0, +) <= 400, "the parts of a connection: \(parts) bytes")
      expect(MemoryLayout<SessionMachine>.stride <= 160, "a session: \(MemoryLayout<SessionMachine>.stride) bytes")
      expect(MemoryLayout<LiveSubscription>.stride <= 96, "a subscription: \(MemoryLayout<LiveSubscription>.stride) bytes")
      let bench = try await ConnectionBench.start()
      let client = try WireClient.open(bench.address)
      expectEqual(client.next(), .text("hello"), "open")
      let frame = WireClient.frame(.text, Array("abc".utf8))
      client.send(bytes: Array(frame.prefix(4)))
      expect(await bench.holds { $0.context.connections.values.first?.rest.count == 4 }, "the beginning of a frame is kept")
      client.send(bytes: Array(frame.dropFirst(4)))
      expectEqual(client.next(), .text("abc"), "the frame")
      let kept = await bench.onLoop { station, _ in
        station.context.connections.values.map { [$0.rest.capacity, $0.outbound.byteCount, $0.exchange == nil ? 0 : 1] }
      }
      expectEqual(kept, [[0, 0, 0]], "nothing is kept between two frames")
      await bench.stop()
    }
  }
}
