import Compression
import Observability
import TestSupport
import Testing
import WebSocketProtocol

@testable import Gateway

extension OverSockets {
  @Suite struct ConnectionCompressionTests {
    /// A text as any client may compress it: without a context, and with the window of kept contexts.
    private func payload(_ text: [UInt8]) throws -> [UInt8] {
      let deflater = try #require(Deflater(windowBits: 12, keepsContext: false))
      let output = OutputBuffer()
      return try withExtendedLifetime(output) {
        try #require(text.withUnsafeBytes { deflater.compress($0, into: output).map(Array.init) }, "it becomes smaller")
      }
    }

    private func open(_ bench: ConnectionBench, _ offer: DeflateOffer? = DeflateOffer()) throws -> WireClient {
      let client = try WireClient.open(bench.address, deflate: offer)
      expectEqual(client.next(), .text("hello"), "a short message comes as it is")
      return client
    }

    @Test func `messages go compressed both ways where that was agreed on`() async throws {
      for keeps in [false, true] {
        let bench = try await ConnectionBench.start { $0.compression = DeflatePolicy(keepsContexts: keeps) }
        let offers = [DeflateOffer(), DeflateOffer(serverWindowBits: 9), DeflateOffer(serverForgets: true, clientForgets: true)]
        for offer in offers {
          let client = try open(bench, offer)
          for size in [300, 5_000, 200_000, 300] {
            let text = chatText(size)
            client.send(bytes: WireClient.compressedFrame(.text, try payload(text)))
            expect(client.next() == .inflated(String(decoding: text, as: UTF8.self)), "\(size) bytes, \(offer.text), \(keeps)")
          }
          client.send(bytes: WireClient.frame(.text, chatText(300)))
          expectEqual(client.nextText(), String(decoding: chatText(300), as: UTF8.self), "plain from the client")
          client.send(bytes: WireClient.compressedFrame(.text, [0]) + WireClient.compressedFrame(.text, []))
          for _ in 0..<2 { expectEqual(client.next(), .text(""), "an empty message") }
          let whole = try payload(chatText(2_000))
          client.send(
            bytes: WireClient.compressedFrame(.text, Array(whole[..<9]), isFinal: false) + WireClient.frame(.ping, [])
              + WireClient.frame(.continuation, Array(whole[9...])))
          expectEqual(client.next(), .pong(""), "a ping between fragments")
          expectEqual(client.next(), .inflated(String(decoding: chatText(2_000), as: UTF8.self)), "fragments")
          client.vanish()
        }
        let counts = await bench.onLoop { station, _ in station.context.metrics.compression }
        expectEqual([counts.received.messages, counts.sent.messages], [21, 18], "counted")
        expect(counts.received.wireBytes < counts.received.messageBytes / 4, "\(counts.received)")
        expect(counts.sent.wireBytes < counts.sent.messageBytes / 4, "\(counts.sent)")
        await bench.stop()
      }
      let bench = try await ConnectionBench.start { $0.compression = nil }
      let client = try WireClient(to: bench.address)
      expectEqual(try client.upgrade(deflate: DeflateOffer()).value(of: "Sec-WebSocket-Extensions"), nil, "switched off")
      await bench.stop()
    }

    @Test func `what cannot be taken ends its connection alone, with its code`() async throws {
      let bench = try await ConnectionBench.start()
      let good = try payload(chatText(2_000))
      let limit = 1 << 20
      func compressed(_ payload: [UInt8]) -> [UInt8] { WireClient.compressedFrame(.text, payload) }
      let bomb = try payload([UInt8](repeating: 0x61, count: 8 << 20))
      let cutBomb = stride(from: 0, to: bomb.count, by: 1_000).map { start in
        let end = min(start + 1_000, bomb.count)
        let piece = Array(bomb[start..<end])
        return start == 0
          ? WireClient.compressedFrame(.text, piece, isFinal: false)
          : WireClient.frame(.continuation, piece, isFinal: end == bomb.count)
      }.flatMap { $0 }
      let cases: [(String, [UInt8], UInt16, CloseCause)] = [
        ("no stream", compressed([7]), 1007, .badCompression),
        ("a stream that is cut", compressed(good.dropLast(9)), 1007, .badCompression),
        ("a bad distance", compressed([0xF2, 0x00, 0x11, 0x00, 0x00]), 1007, .badCompression),
        ("a text that is no UTF-8", compressed(try payload([UInt8](repeating: 0xFF, count: 500))), 1007, .invalidText),
        ("a bomb", compressed(bomb), 1009, .tooBig), ("a bomb in fragments", cutBomb, 1009, .tooBig),
        ("a byte too much", compressed(try payload(chatText(limit + 1))), 1009, .tooBig),
        ("too many compressed bytes", compressed([UInt8](repeating: 0, count: 2 * limit)), 1009, .tooBig),
        (
          "RSV1 on a continuation", WireClient.frame(.text, [], isFinal: false) + WireClient.compressedFrame(.continuation, []),
          1002,
          .protocolViolation
        ),
        ("RSV1 on a ping", WireClient.compressedFrame(.ping, []), 1002, .protocolViolation),
      ]
      let witness = try open(bench)
      var counts: [CloseCause: UInt64] = [:]
      for (name, bytes, code, cause) in cases {
        let client = try open(bench)
        client.send(bytes: compressed(good) + bytes + compressed(good))
        expectEqual(client.next(), .inflated(String(decoding: chatText(2_000), as: UTF8.self)), "what came before \(name)")
        let event = client.next()
        if code == 1009 { expectEqual(event, .closed(1009, "a message has at most \(limit) bytes"), name) }
        guard case .closed(let actual, _) = event else {
          expect(false, "\(name): \(event)")
          continue
        }
        expectEqual(actual, code, name)
        counts[cause, default: 0] += 1
        expect(await bench.ended(cause, counts[cause] ?? 0), "\(name): \(cause)")
      }
      witness.send(bytes: compressed(try payload(chatText(limit))))
      expect(
        witness.next() == .inflated(String(decoding: chatText(limit), as: UTF8.self)), "exactly the limit, by one who was there before")
      let plain = try open(bench, nil)
      plain.send(bytes: compressed(good))
      expectEqual(plain.closeCode(), 1002, "RSV1 where it was not agreed on")
      let kept = await bench.onLoop { station, _ in
        [station.context.deflates.inflated.capacity, station.context.deflates.compressed.capacity]
      }
      expect(kept.allSatisfy { $0 <= OutputBuffer.keptBytes }, "memory is given back: \(kept)")
      await bench.stop()
    }

    @Test func `what is secret goes as it is, a shared frame in the form that was agreed on, and a newer one in its place`() async throws {
      let bench = try await ConnectionBench.start { $0.compression = DeflatePolicy(keepsContexts: true) }
      let text = String(decoding: chatText(1_000), as: UTF8.self)
      let clients = [try open(bench, nil), try open(bench), try open(bench, DeflateOffer(serverWindowBits: 9, clientWindow: .unsaid))]
      await bench.onLoop { station, loop in
        let shared = SharedFrame(text: Array(text.utf8), mayBeCompressed: true)
        let newer = SharedFrame(text: Array((text + "!").utf8), mayBeCompressed: true)
        for connection in station.context.connections.values {
          connection.send(text: Array(text.utf8), isSecret: true, on: loop)
          connection.send(text: Array(text.utf8), on: loop)
          connection.send(shared, key: 1, on: loop)
          connection.send(text: Array(text.utf8), on: loop)
          connection.send(newer, key: 1, on: loop)
          connection.send(text: Array(text.utf8), on: loop)
        }
      }
      for (index, client) in clients.enumerated() {
        expectEqual(client.next(), .text(text), "secret")
        for place in 0..<4 {
          // A text of 1,001 bytes does not fit a window of 9 bits: the shared frame goes as it is.
          let isPlain = index == 0 || index == 2 && place == 1
          let expected = place == 1 ? text + "!" : text
          expectEqual(client.next(), isPlain ? .text(expected) : .inflated(expected), "client \(index), message \(place)")
        }
      }
      await bench.stop()
    }

    @Test func `who goes in the middle of it all leaves the streams whole`() async throws {
      for keeps in [false, true] {
        let bench = try await ConnectionBench.start { $0.compression = DeflatePolicy(keepsContexts: keeps) }
        let frame = WireClient.compressedFrame(.text, try payload(chatText(50_000)))
        for round in 0..<40 {
          let client = try open(bench)
          client.send(bytes: frame + frame.dropLast(round))
          client.vanish()
        }
        expect(await bench.holds { $0.context.connections.isEmpty }, "all are gone")
        let client = try open(bench)
        client.send(bytes: frame)
        expect(client.next() == .inflated(String(decoding: chatText(50_000), as: UTF8.self)), "a new one is served")
        await bench.stop()
      }
    }
  }
}
