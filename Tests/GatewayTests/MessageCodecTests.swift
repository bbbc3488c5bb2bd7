import Compression
import TestSupport
import Testing
import WebSocketProtocol

@testable import Gateway

/// A text of this many bytes as repetitive as JSON.
func chatText(_ count: Int) -> [UInt8] {
  var bytes: [UInt8] = []
  var number = 0
  while bytes.count < count {
    number = (number &* 1_103_515_245 &+ 12_345) & 0x7FFF_FFFF
    bytes += Array(#"{"id":\#(number),"sender":{"name":"Ada","role":"default"},"plaintext":"word\#(number % 97)"},"#.utf8)
  }
  return Array(bytes[..<count])
}

@Suite struct MessageCodecTests {
  private static func agreement(keeps: Bool, bits: Int = 12) -> DeflateAgreement {
    DeflateAgreement(serverKeepsContext: keeps, clientKeepsContext: keeps, serverWindowBits: bits, clientWindowBits: bits)
  }

  private func compress(_ codec: MessageCodec, _ text: [UInt8], _ pool: DeflatePool) -> [UInt8]? {
    text.withUnsafeBytes { codec.compress($0, with: pool).map(Array.init) }
  }

  private func inflate(_ codec: MessageCodec, _ payload: [UInt8], limit: Int = 1 << 20, _ pool: DeflatePool) -> Result<
    [UInt8], InflateFailure
  > {
    payload.withUnsafeBytes { payload in
      do throws(InflateFailure) { return .success(Array(try codec.inflate(payload, limit: limit, with: pool))) } catch {
        return .failure(error)
      }
    }
  }

  @Test func `short messages stay as they are, and what comes back is what went`() throws {
    let pool = DeflatePool()
    for keeps in [false, true] {
      for bits in [8, 9, 12, 15] {
        let codec = pool.codec(for: Self.agreement(keeps: keeps, bits: bits))
        expectEqual(compress(codec, chatText(255), pool), nil, "255 bytes")
        for size in [256, 3_000, 100_000] {
          let text = chatText(size)
          let payload = try #require(compress(codec, text, pool))
          expect(payload.count < size, "\(payload.count) of \(size) bytes")
          expect(inflate(codec, payload, pool) == .success(text), "\(size) bytes, \(bits) bits, \(keeps)")
          if keeps { continue }
          expectEqual(inflate(codec, payload, limit: size - 1, pool), .failure(.tooLong(limit: size - 1)))
        }
        expectEqual(inflate(codec, [7], pool), .failure(.malformed))
      }
    }
  }

  @Test func `who keeps nothing shares a codec, and a context is forgotten behind a shared frame`() throws {
    let pool = DeflatePool(policy: DeflatePolicy(keepsContexts: true))
    expectEqual([pool.sharedWindowBits, DeflatePool().sharedWindowBits], [12, 15])
    expect(pool.codec(for: Self.agreement(keeps: false)) === pool.codec(for: Self.agreement(keeps: false)), "one for all")
    expect(pool.codec(for: Self.agreement(keeps: false)) !== pool.codec(for: Self.agreement(keeps: false, bits: 9)), "of a window")
    let codec = pool.codec(for: Self.agreement(keeps: true))
    expect(codec !== pool.codec(for: Self.agreement(keeps: true)), "contexts are one's own")

    let text = chatText(1_000)
    let first = try #require(compress(codec, text, pool))
    let second = try #require(compress(codec, text, pool))
    expect(second.count < first.count / 4, "\(first.count) bytes, then \(second.count)")
    codec.sentShared()
    expectEqual(compress(codec, text, pool), first, "what the peer's window holds besides is not referred to")
  }
}
