import CZlib
import Compression
import TestSupport
import Testing

@Suite struct InflaterTests {
  /// "Hello" as RFC 7692 §7.2.3 has it.
  private let hello: [UInt8] = [0xF2, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
  private let helloBytes = Array("Hello".utf8)

  private func inflater(keepsContext: Bool = false) throws -> Inflater {
    try #require(Inflater(windowBits: 15, keepsContext: keepsContext))
  }

  @Test func `the examples of RFC 7692 are read`() throws {
    let twice = helloBytes + helloBytes
    let final: [UInt8] = [0xF3, 0x48, 0xCD, 0xC9, 0xC9, 0x07, 0x00]
    let rows: [(String, [UInt8], [UInt8])] = [
      ("one block, §7.2.3.1", hello, helloBytes),
      ("a stored block, §7.2.3.3", [0x00, 0x05, 0x00, 0xFA, 0xFF, 0x48, 0x65, 0x6C, 0x6C, 0x6F, 0x00], helloBytes),
      ("BFINAL, §7.2.3.4", final + [0x00], helloBytes), ("BFINAL without the block behind it", final, helloBytes),
      ("two blocks, §7.2.3.5", [0xF2, 0x48, 0x05, 0x00, 0x00, 0x00, 0xFF, 0xFF, 0xCA, 0xC9, 0xC9, 0x07, 0x00], helloBytes),
      ("a whole message behind BFINAL", final + hello, twice), ("BFINAL twice", final + final, twice),
      ("a stored block with BFINAL", [0x01, 0x05, 0x00, 0xFA, 0xFF] + helloBytes, helloBytes),
      ("an empty message, §7.2.3.6", [0x00], []), ("no byte at all", [], []), ("empty blocks", [0, 0, 0, 0xFF, 0xFF, 0], []),
      ("an empty block with BFINAL", [0x03, 0x00], []), ("a stored one, open at its end", [0x01], []),
    ]
    let inflater = try inflater()
    for (name, payload, message) in rows { expectEqual(inflated(inflater, payload), .success(message), name) }
    // §7.2.3.2: the second message refers to the first.
    let keeping = try self.inflater(keepsContext: true)
    for payload in [hello, [0xF2, 0x00, 0x11, 0x00, 0x00]] { expectEqual(inflated(keeping, payload), .success(helloBytes), "context") }
    expectEqual(inflated(keeping, final), .success(helloBytes), "BFINAL")
    expectEqual(inflated(keeping, [0xF2, 0x00, 0x11, 0x00, 0x00]), .success(helloBytes), "the window lives on behind BFINAL")
  }

  @Test func `what is no stream is refused, and the next message is read`() throws {
    let rows: [(String, [UInt8])] = [
      ("block type 3", [0x07]), ("lengths of a stored block that do not fit", [0x00, 0x05, 0x00, 0xFA, 0xFE, 0x48]),
      ("a stored block that is cut", [0x00, 0x05, 0x00, 0xFA, 0xFF]),
      ("a distance before the beginning", [0xF2, 0x00, 0x11, 0x00, 0x00]),
      ("an invalid distance code", [0x4B, 0x04, 0x7E, 0x00]), ("garbage behind BFINAL", [0x03, 0x00, 0xFF, 0xFF]),
      ("garbage behind a message", hello + [0xFF, 0xFF]), ("a text", Array("{\"jsonrpc\":\"2.0\"}".utf8)),
      ("too many codes", [0xFC, 0xFF, 0xFF]), ("cut in its codes", [0x04, 0x80]),
    ]
    for keepsContext in [false, true] {
      for (name, payload) in rows {
        let inflater = try inflater(keepsContext: keepsContext)
        expectEqual(inflated(inflater, payload), .failure(.malformed), name)
        expectEqual(inflated(inflater, hello), .success(helloBytes), "the message behind \(name)")
      }
    }
    // A message that is cut anywhere is noticed: it does not end between two blocks.
    var random = FixedGenerator(seed: 4)
    let whole = Reference.deflate(random.bytes(400))
    let inflater = try inflater()
    for count in 1..<(whole.count - 1) {
      expectEqual(inflated(inflater, Array(whole[..<count])), .failure(.malformed), "\(count) of \(whole.count) bytes")
    }
  }

  @Test func `a message of exactly the limit is taken, and no byte more`() throws {
    var random = FixedGenerator(seed: 5)
    let output = OutputBuffer()
    let inflater = try inflater()
    for limit in [0, 1, 5, 8_192, 16_384, 65_536, 131_072] {
      for (size, expected) in [(limit, Result<Int, InflateFailure>.success(limit)), (limit + 1, .failure(.tooLong(limit: limit)))] {
        for payload in [Reference.deflate(random.bytes(size)), Reference.deflate([UInt8](repeating: 0, count: size), isFinal: true)] {
          expectEqual(inflated(inflater, payload, limit: limit, into: output).map(\.count), expected, "\(size) bytes, limit \(limit)")
        }
      }
    }
  }

  @Test func `a bomb costs no more memory than the limit`() throws {
    let bomb = Reference.deflate([UInt8](repeating: 0, count: 64 << 20), level: 9)
    expect(bomb.count < 66_000, "\(bomb.count) bytes")
    let inflater = try inflater()
    for limit in [0, 8_192, 131_072, 5_000_000] {
      let output = OutputBuffer()
      expectEqual(inflated(inflater, bomb, limit: limit, into: output), .failure(.tooLong(limit: limit)))
      expect(output.capacity <= limit + 1, "\(output.capacity) bytes for a limit of \(limit)")
      output.trim()
      expect(output.capacity <= OutputBuffer.keptBytes, "\(output.capacity) bytes are kept")
    }
    // Behind a context that holds zeros, each message of a few bytes is a bomb of its own.
    let keeping = try self.inflater(keepsContext: true)
    for _ in 0..<3 { expectEqual(inflated(keeping, bomb, limit: 8_192), .failure(.tooLong(limit: 8_192))) }
    // Blocks that end the stream over and over are read in the time that their bytes take.
    let ends = [UInt8]((0..<32_768).flatMap { _ in [0x03, 0x00] as [UInt8] })
    expectEqual(inflated(inflater, ends), .success([]), "32,768 ends")
  }

  @Test func `streams of every compressor are read`() throws {
    var random = FixedGenerator(seed: 6)
    let inflater = try inflater()
    for level in CInt(0)...9 {
      for memoryLevel in [CInt(1), 5, 9] {
        let message = random.bytes(20_000, isRandom: level == 0)
        for isFinal in [false, true] {
          let payload = Reference.deflate(message, level: level, windowBits: 9 + level % 7, memoryLevel: memoryLevel, isFinal: isFinal)
          expect(inflated(inflater, payload) == .success(message), "level \(level), memory level \(memoryLevel), \(isFinal)")
        }
      }
    }
  }

  @Test func `random and damaged bytes never trap, hang or come out too long`() throws {
    var random = FixedGenerator(seed: 7)
    let output = OutputBuffer()
    let inflater = try inflater()
    let keeping = try self.inflater(keepsContext: true)
    let whole = Reference.deflate(random.bytes(3_000))
    for round in 0..<4_000 {
      var payload = whole
      if round % 2 == 0 {
        payload = (0..<(random.next() % 64)).map { _ in UInt8(truncatingIfNeeded: random.next()) }
      } else {
        payload[Int(random.next() % UInt64(payload.count))] ^= UInt8(1 << (random.next() % 8))
      }
      for stream in [inflater, keeping] {
        if case .success(let message) = inflated(stream, payload, limit: 10_000, into: output) {
          expect(message.count <= 10_000, "\(message.count) bytes")
        }
      }
    }
    expectEqual(inflated(inflater, hello), .success(helloBytes), "and the next message is read")
  }
}
