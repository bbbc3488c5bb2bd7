import Glibc
import HTTPProtocol
import Observability
import TLS
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension TLSContext {
  /// A server with a certificate of its own.
  static func server() throws -> TLSContext {
    let certificate = try TestCertificate(serial: 1)
    return try TLSContext(serving: TLSCredentials(certificates: certificate.pem, key: certificate.keyPEM), tickets: TicketKeys(now: 0))
  }
}

extension ConnectionBench {
  /// Waits until so many handshakes ended in a way.
  func handshakes(_ outcome: TLSCounts.Outcome, _ count: UInt64 = 1) async -> Bool {
    await holds { $0.context.metrics.tls.handshakes(outcome) == count }
  }
}

extension OverSockets {
  @Suite struct ConnectionTLSTests {
    private static let request = "GET /one HTTP/1.1\r\nHost: x\r\n\r\n"

    @Test func `requests and frames go over both versions, and the end is told by close_notify`() async throws {
      let bench = try await ConnectionBench.start(tls: .server())
      for (index, version) in TLSVersion.allCases.enumerated() {
        let context = try TLSContext.client(trusting: .anybody, newest: version)
        let client = try WireClient(to: bench.address, over: context)
        expectEqual(client.tls?.version, version)
        expectEqual(try client.request("/one").body, "/one\n", "\(version)")
        expectEqual(try client.request("/big").body.utf8.count, 500_000, "\(version): many records")
        client.send(bytes: Array((Self.request + Self.request).utf8))
        for _ in 0..<2 { expectEqual(try client.answer().body, "/one\n", "\(version): pipelined") }
        expectEqual(try client.request("/last", fields: ["Connection: close"]).body, "/last\n", "\(version)")
        expect(client.ends(), "\(version): closed as asked")
        expectEqual(client.tlsState, .ended, "\(version): with close_notify")
        expect(await bench.ended(.requestServed, UInt64(3 * index + 1)), "\(version): its cause")

        let peer = try WireClient.open(bench.address, over: context)
        expectEqual(peer.next(), .text("hello"), "\(version): open")
        for size in [0, 1, 125, 126, 16_384, 70_000, 1_000_000] {
          peer.send(.text, Array(repeating: 0x61, count: size))
          expectEqual(peer.nextText()?.utf8.count, size, "\(version): a message of \(size)")
        }
        let many = (0..<500).flatMap { WireClient.frame(.text, Array("\($0)".utf8)) }
        peer.send(bytes: many)
        for number in 0..<500 { expectEqual(peer.next(), .text("\(number)"), "\(version): many small ones") }
        peer.close()
        expectEqual(peer.closeCode(), 1000, "\(version)")
        expect(peer.ends(), "\(version)")
        expectEqual(peer.tlsState, .ended, "\(version): with close_notify")

        let long = try WireClient(to: bench.address, over: context)
        long.send(bytes: Array("GET /long HTTP/1.1\r\nHost: x\r\n".utf8))
        for number in 0..<15 {
          long.send(bytes: Array("X\(number): \(String(repeating: "y", count: 1_030))\r\n".utf8))
          // What has come is looked at before more comes.
          expect(await bench.holds { station in station.context.connections.values.contains { $0.rest.count > number * 1_030 } }, "kept")
        }
        long.send(bytes: Array("Connection: close\r\n\r\n".utf8))
        expectEqual(try long.answer().body, "/long\n", "\(version): a head of 15 KiB in many records")
        expect(long.ends(), "\(version)")
        expect(await bench.ended(.requestServed, UInt64(3 * index + 2)), "\(version): its cause")

        let half = try WireClient(to: bench.address, over: context)
        half.send(bytes: Array("GET /big HTTP/1.1\r\nHost: x\r\n\r\n".utf8))
        half.closeTLS()
        expectEqual(try half.answer().body.utf8.count, 500_000, "\(version): who has closed gets the answer")
        expect(half.ends(), "\(version): and then the end")
        expectEqual(half.tlsState, .ended, "\(version): with close_notify")
        expect(await bench.ended(.requestServed, UInt64(3 * index + 3)), "\(version): its cause")
      }
      expect(await bench.holds { $0.context.connections.isEmpty }, "nothing is left")
      expectEqual(
        await bench.onLoop { station, _ in
          let counts = station.context.metrics.tls
          return [counts.handshakes(.full), counts.handshakes(.v12), counts.handshakes(.v13), counts.handshakes(.abandoned)]
        } as [UInt64], [8, 4, 4, 0], "counted")
      await bench.stop()
    }

    @Test func `a handshake in small pieces, behind a PROXY header, or taken up again`() async throws {
      let bench = try await ConnectionBench.start(tls: .server()) { $0.proxies = TrustedProxies(["127.0.0.1"]) }
      let context = try TLSContext.client(trusting: .anybody)
      let first = try WireClient(to: bench.address, over: context)
      _ = try first.request("/one")
      let again = try WireClient(to: bench.address, over: context, resuming: first.tls?.ticket)
      expectEqual(again.tls?.isResumed, true)
      expectEqual(try again.request("/one").body, "/one\n", "resumed")
      expect(await bench.handshakes(.resumed), "counted")

      let header = Array("PROXY TCP4 192.0.2.1 198.51.100.9 56324 443\r\n".utf8)
      let hello = try Self.hello(context)
      for size in [1, 50, 10_000] {
        let client = try WireClient(to: bench.address)
        let bytes = header + hello
        for start in stride(from: 0, to: bytes.count, by: size) {
          client.send(raw: Array(bytes[start..<min(start + size, bytes.count)]))
        }
        expect(
          await bench.holds { station in
            station.context.connections.values.contains { $0.client.description == "192.0.2.1:56324" && $0.secure?.hasBegun == true }
          }, "the client of the header, in pieces of \(size)")
        client.vanish()
        expect(await bench.holds { $0.context.connections.count == 2 }, "who is gone is freed")
      }
      // A header in a segment of its own asks for no turn: there is nothing to read yet.
      let watches = await bench.onLoop { station, loop -> [Bool] in
        var pair: [CInt] = [-1, -1]
        guard socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0, &pair) == 0 else { return [] }
        defer { Socket.close(pair[1]) }
        station.context.accepted(pair[0], from: .ipv4(IPv4Address(127, 0, 0, 1), port: 1), on: loop)
        let connection = station.context.connections.values.first { $0.descriptor == pair[0] }
        return [header, hello].map { bytes in
          _ = bytes.withUnsafeBytes { Socket.send(pair[1], $0) }
          connection?.ready(.readable, on: loop)
          return connection?.machine.watch == .reads
        }
      }
      expectEqual(watches, [true, false], "what waits for a turn is not watched")

      let wrong = try WireClient(to: bench.address)
      wrong.send(raw: Array("PROXY TCP4 nonsense\r\n".utf8))
      expectEqual(try wrong.answer().status, 400, "a bad header is answered in plain text")
      await bench.stop()
    }

    @Test func `what is no TLS, fails, or does not come is answered, counted and closed`() async throws {
      let bench = try await ConnectionBench.start(tls: .server()) { $0.handshakeMs = 400 }
      let plain = try WireClient(to: bench.address)
      plain.send(bytes: Array(Self.request.utf8))
      let answer = try plain.answer()
      expectEqual(answer.status, 400, "a plain request")
      expect(answer.body.contains("https://"), answer.body)
      expect(plain.ends(), "closed")
      expect(await bench.handshakes(.plainHTTP), "counted")

      let h2 = try TLSContext.client(trusting: .anybody, protocols: ["h2"])
      expectEqual(try WireClient(to: bench.address, over: h2).tlsState, .failed(.peerAlert(120)), "h2 alone")
      expect(await bench.handshakes(.noCommonProtocol), "counted")
      let wary = try WireClient(to: bench.address, over: TLSContext.client(trusting: .system))
      expectEqual(wary.tls?.isEstablished, false, "a client that does not trust the certificate")
      expect(await bench.handshakes(.peerAlert), "counted")
      for (bytes, outcome) in [
        ([0, 1, 2, 3], TLSCounts.Outcome.notTLS), ([0x16, 3, 1, 0, 4, 1, 0xFF, 0xFF, 0xFF], .malformed),
        ([0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 1] + [UInt8](repeating: 9, count: 32) + [0, 0, 2, 0xC0, 0x13, 1, 0], .noCommonVersion),
        ([0x16, 3, 1, 0, 45, 1, 0, 0, 41, 3, 3] + [UInt8](repeating: 9, count: 32) + [0, 0, 2, 0x00, 0x2F, 1, 0], .noCommonCipher),
      ] {
        let client = try WireClient(to: bench.address)
        client.send(bytes: bytes)
        expect(client.ends(), "\(outcome)")
        expect(await bench.handshakes(outcome), "\(outcome) is counted")
      }
      expect(await bench.ended(.tlsFailed, 7), "the cause of all")

      let silent = try WireClient(to: bench.address)
      expect(silent.ends(), "nothing came")
      expect(await bench.handshakes(.timedOut), "counted")
      let dripping = try WireClient(to: bench.address)
      let hello = try Self.hello(TLSContext.client(trusting: .anybody))
      let start = Tick.now()
      var sent = 0
      while sent < hello.count, Tick.now().milliseconds(since: start) < 5_000, dripping.send(raw: [hello[sent]]) {
        sent += 1
        try await Task.sleep(for: .milliseconds(20))
      }
      expect(sent < hello.count, "ended at its time, after \(sent) bytes")
      expect(await bench.handshakes(.timedOut, 2), "counted")
      let slow = try WireClient(to: bench.address, over: TLSContext.client(trusting: .anybody))
      slow.send(bytes: Array("GET / HTTP/1.1\r\n".utf8))
      expectEqual(try slow.answer().status, 408, "half a request came")
      expect(await bench.ended(.handshakeTimeout, 3), "the cause of all three")
      let gone = try WireClient(to: bench.address)
      gone.send(raw: Array(hello.prefix(100)))
      gone.shutdown()
      expect(gone.ends(), "half a hello")
      expect(await bench.handshakes(.abandoned), "counted")
      expect(await bench.holds { $0.context.connections.isEmpty }, "nothing is left")
      await bench.stop()

      let other = try await ConnectionBench.start()
      let lost = try WireClient(to: other.address)
      lost.send(raw: hello)
      let refusal = try lost.answer()
      expectEqual(refusal.status, 400, "TLS where none is spoken")
      expect(refusal.body.contains("http://"), refusal.body)
      expect(await other.handshakes(.onPlainAddress), "counted")
      expect(await other.ended(.handshakeFailed), "its cause")
      await other.stop()
    }

    @Test func `what was sent before the end is answered though it waits, and so is its close frame, with TLS and without`() async throws {
      for isSecure in [false, true] {
        let bench = try await ConnectionBench.start(tls: isSecure ? .server() : nil)
        var received: UInt64 = 0
        for closes in [true, false] {
          let client = try WireClient.open(bench.address, over: isSecure ? TLSContext.client(trusting: .anybody) : nil)
          expectEqual(client.next(), .text("hello"), "open")
          var frames = (0..<3).flatMap { WireClient.frame(.text, Array("hold\($0)".utf8)) }
          frames += (3..<100).flatMap { WireClient.frame(.text, Array("\($0)".utf8)) }
          if closes { frames += WireClient.frame(.close, [0x03, 0xE8]) }
          let bytes = client.encrypted(frames) + client.closeNotify()
          client.send(raw: bytes)
          expect(await bench.holds { $0.receiver.held.count == 3 }, "the rest waits")
          await bench.onLoop { station, loop in
            let held = station.receiver.held
            station.receiver.held = []
            for (connection, text) in held {
              connection.send(text: text, on: loop)
              connection.resumeReading(on: loop)
            }
          }
          for number in 0..<100 { expectEqual(client.nextText(), number < 3 ? "hold\(number)" : "\(number)", "TLS \(isSecure)") }
          if closes { expectEqual(client.closeCode(), 1000, "TLS \(isSecure)") }
          if closes || isSecure { expect(client.ends(), "TLS \(isSecure)") }
          received += UInt64(client.receivedCount)
          client.vanish()
        }
        expect(await bench.ended(.clientClosed), "TLS \(isSecure): its cause")
        expect(await bench.ended(.peerVanished), "TLS \(isSecure): its cause")
        let sent = await bench.onLoop { station, _ in station.context.metrics.traffic.bytesOut }
        expectEqual(sent, received, "TLS \(isSecure): all bytes are counted, those of goodbyes too")
        expect(await bench.holds { $0.context.connections.isEmpty }, "nothing is left")
        await bench.stop()
      }
    }

    @Test func `records that are changed on their way end the connection, and ends of any kind free it`() async throws {
      let bench = try await ConnectionBench.start(tls: .server())
      let context = try TLSContext.client(trusting: .anybody)
      let client = try WireClient.open(bench.address, over: context)
      expectEqual(client.next(), .text("hello"), "open")
      let good = client.encrypted(WireClient.frame(.text, Array("good".utf8)))
      var bad = client.encrypted(WireClient.frame(.text, Array("bad".utf8)))
      bad[bad.count - 1] ^= 1
      client.send(raw: good + bad)
      expect(client.ends(), "closed: nothing can be said any more")
      expectEqual(await bench.onLoop { station, _ in station.context.metrics.traffic.messagesIn }, 1, "what came before counts")
      // bad_record_mac (RFC 8446 §6.2).
      expectEqual(client.tlsState, .failed(.peerAlert(20)), "with an alert")
      expect(await bench.ended(.tlsFailed), "its cause")

      let goodbye = try WireClient.open(bench.address, over: context)
      expectEqual(goodbye.next(), .text("hello"), "open")
      goodbye.closeTLS()
      expect(goodbye.ends(), "close_notify alone")
      expectEqual(goodbye.tlsState, .ended, "and ours")
      let cut = try WireClient.open(bench.address, over: context)
      expectEqual(cut.next(), .text("hello"), "open")
      cut.send(raw: Array(cut.encrypted(WireClient.frame(.text, Array("half".utf8))).prefix(20)))
      cut.shutdown()
      expect(cut.ends(), "the end within a record")
      let vanished = try WireClient.open(bench.address, over: context)
      expectEqual(vanished.next(), .text("hello"), "open")
      vanished.vanish()
      expect(await bench.ended(.peerVanished, 3), "their cause")
      expect(await bench.holds { $0.context.connections.isEmpty }, "nothing is left")
      await bench.stop()
    }
  }
}

extension OverSockets.ConnectionTLSTests {
  /// What a client says first.
  static func hello(_ context: TLSContext) throws -> [UInt8] {
    guard let session = TLSSession(context) else { throw WireClient.Failure(description: "no session") }
    var place = [UInt8](repeating: 0, count: 100)
    var output = [UInt8](repeating: 0, count: 4_096)
    let progress = place.withUnsafeMutableBytes { place in
      output.withUnsafeMutableBytes { session.receive(UnsafeRawBufferPointer(start: nil, count: 0), into: place, output: $0) }
    }
    return Array(output[..<progress.output])
  }
}
