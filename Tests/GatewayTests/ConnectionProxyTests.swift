import Observability
import TestSupport
import Testing
import Transport

@testable import Gateway

extension OverSockets {
  @Suite struct ConnectionProxyTests {
    private static let request = "GET /client HTTP/1.1\r\nHost: x\r\n\r\n"
    private static let line = "PROXY TCP4 192.0.2.1 198.51.100.9 56324 443\r\n"
    private static let binary: [UInt8] =
      [13, 10, 13, 10, 0, 13, 10, 0x51, 0x55, 0x49, 0x54, 10, 0x21, 0x11, 0, 12, 192, 0, 2, 2, 198, 51, 100, 9, 0xDC, 0x04, 0x01, 0xBB]

    @Test func `a trusted peer may send a PROXY header, at once with its request or byte by byte, or none`() async throws {
      let bench = try await ConnectionBench.start { $0.proxies = TrustedProxies(["127.0.0.1"]) }
      let cases: [(String, [UInt8], client: String?)] = [
        ("version 1", [UInt8](Self.line.utf8), "192.0.2.1:56324"), ("version 2", Self.binary, "192.0.2.2:56324"),
        ("no client", [UInt8]("PROXY UNKNOWN\r\n".utf8), nil), ("none", [], nil), ("an empty line", [13, 10], nil),
      ]
      for (name, header, client) in cases {
        let bytes = header + [UInt8](Self.request.utf8)
        for size in [bytes.count, 1, 20] {
          let wire = try WireClient(to: bench.address)
          for start in stride(from: 0, to: bytes.count, by: size) { wire.send(bytes: Array(bytes[start..<min(start + size, bytes.count)])) }
          let answer = try wire.answer()
          expectEqual(answer.status, 200, name)
          let isRight = client.map { answer.body == "\($0)\n" } ?? answer.body.hasPrefix("127.0.0.1:")
          expect(isRight, "\(name) in pieces of \(size): \(answer.body)")
          expect(try wire.request("/client").body == answer.body, "\(name): it holds for the next request")
        }
      }
      let twice = try WireClient(to: bench.address)
      twice.send(bytes: [UInt8](Self.line.utf8) + Self.binary)
      expectEqual(try twice.answer().status, 400, "only one")
      await bench.stop()
    }

    @Test func `a PROXY header that is malformed, incomplete, or of anybody else leads nowhere`() async throws {
      let bench = try await ConnectionBench.start {
        $0.proxies = TrustedProxies(["127.0.0.1"])
        $0.handshakeMs = 300
      }
      let wrong = [
        [UInt8]("PROXY TCP4 nonsense\r\n".utf8), Array(Self.binary[..<12]) + [0x41], [UInt8](String(repeating: "PROXY ", count: 50).utf8),
      ]
      for (count, bytes) in wrong.enumerated() {
        let wire = try WireClient(to: bench.address)
        wire.send(bytes: bytes)
        let answer = try wire.answer()
        expect(answer.status == 400 && answer.body.contains("PROXY"), "\(bytes): \(answer)")
        expect(wire.ends(), "closed")
        expect(await bench.ended(.handshakeFailed, UInt64(count + 1)), "its cause")
      }
      expectEqual(await bench.onLoop { station, _ in station.context.metrics.connections.refused(.proxyHeader) }, 3, "counted")
      let half = try WireClient(to: bench.address)
      half.send(bytes: Array(Self.binary[..<14]))
      half.shutdown()
      expect(half.ends(), "half a header and the end")
      expect(await bench.ended(.handshakeFailed, 4), "its cause")
      let slow = try WireClient(to: bench.address)
      slow.send(bytes: [UInt8]("PROXY TCP4 ".utf8))
      expect(slow.ends(), "half a header and nothing more")
      expect(await bench.ended(.handshakeTimeout), "its cause")
      let silent = try WireClient(to: bench.address)
      expect(silent.ends(), "nothing")
      expect(await bench.ended(.handshakeTimeout, 2), "its cause")
      let gone = try WireClient(to: bench.address)
      gone.shutdown()
      expect(gone.ends(), "nothing, and the end")
      expect(await bench.ended(.peerVanished), "its cause")
      await bench.stop()

      let strangers = try await ConnectionBench.start { $0.proxies = TrustedProxies(["10.0.0.0/8", "unix"]) }
      for header in [[UInt8](Self.line.utf8), Self.binary, Array(Self.binary[..<16])] {
        let wire = try WireClient(to: strangers.address)
        wire.send(bytes: header + [UInt8](Self.request.utf8))
        expectEqual(try wire.answer().status, 400, "no request")
        expect(wire.ends(), "closed")
      }
      expectEqual(await strangers.onLoop { station, _ in station.context.metrics.connections.refused(.proxyHeader) }, 0, "not looked at")
      await strangers.stop()
    }
  }
}
