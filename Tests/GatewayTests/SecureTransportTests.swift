import Observability
import TLS
import TestSupport
import Testing
import Transport
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct SecureTransportTests {
    @Test func `a slow reader is cut off at the cap, which holds what is encrypted too`() async throws {
      let bench = try await ConnectionBench.start(tls: .server()) { $0.outboundBytes = 50_000 }
      let client = try WireClient.open(bench.address, receiveBuffer: 4_096, over: TLSContext.client(trusting: .anybody))
      expectEqual(client.next(), .text("hello"), "open")
      let frame = WireClient.frame(.text, [UInt8](repeating: 0x61, count: 40_000))
      let start = Tick.now()
      var most = 0
      while Tick.now().milliseconds(since: start) < 20_000 {
        client.send(bytes: frame)
        let (closes, waiting) = await bench.onLoop { station, _ in
          (station.context.metrics.delivery.slowConsumerCloses, station.context.connections.values.map(\.waitingBytes).max() ?? 0)
        }
        most = max(most, waiting)
        if closes > 0 { break }
      }
      expect(await bench.ended(.slowReader), "freed though nothing is read")
      expect(most <= 50_000 + 64, "at most \(most) bytes waited")
      await bench.stop()
    }

    @Test func `of what waits at most one record is encrypted, so that the rest can still be replaced`() async throws {
      let bench = try await ConnectionBench.start(tls: .server()) { $0.outboundBytes = 16_000_000 }
      let client = try WireClient.open(bench.address, receiveBuffer: 65_536, over: TLSContext.client(trusting: .anybody))
      expectEqual(client.next(), .text("hello"), "open")
      var sent = 0
      while sent < 100,
        await bench.onLoop({ station, _ in station.context.connections.values.allSatisfy { $0.outbound.byteCount < 200_000 } })
      {
        client.send(.text, [UInt8](repeating: 0x61, count: 100_000))
        sent += 1
      }
      expect(await bench.holds { $0.context.connections.values.contains { $0.machine.isWriteBlocked } }, "the socket is full")
      let frame = SharedFrame(text: Array("first".utf8), mayBeCompressed: true)
      let newer = SharedFrame(text: Array("newer".utf8), mayBeCompressed: true)
      let (unsent, queued) = await bench.onLoop { station, loop in
        let connection = station.context.connections.values.first
        for frame in [frame, newer] { connection?.send(frame, key: 7, on: loop) }
        return (connection?.secure?.unsentCount ?? 0, connection?.outbound.byteCount ?? 0)
      }
      expect((1...TLSSession.maxRecordBytes + TLSSession.maxRecordOverhead).contains(unsent), "\(unsent) bytes are encrypted")
      expect(queued > 100_000, "\(queued) bytes wait")
      var texts: [Int: Int] = [:]
      while let text = client.nextText() {
        if text == "newer" { break }
        expect(text != "first", "replaced")
        texts[text.utf8.count, default: 0] += 1
      }
      expectEqual(texts, [100_000: sent], "everything else came whole")
      expect(await bench.holds { $0.context.connections.values.allSatisfy { $0.waitingBytes == 0 } }, "and nothing is left")
      await bench.stop()
    }
  }
}
