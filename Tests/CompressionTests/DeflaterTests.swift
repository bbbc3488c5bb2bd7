import Compression
import TestSupport
import Testing

@Suite struct DeflaterTests {
  @Test func `messages come out as they went in, with every window, with and without contexts`() throws {
    var random = FixedGenerator(seed: 1)
    let sizes = [256, 1_000, 4_096, 70_000]
    for bits in 8...15 {
      for keepsContext in [false, true] {
        let deflater = try #require(Deflater(windowBits: bits, keepsContext: keepsContext))
        let inflater = try #require(Inflater(windowBits: bits, keepsContext: keepsContext))
        for size in sizes {
          let message = random.bytes(size)
          guard let payload = deflated(deflater, message) else {
            expect(false, "\(size) bytes did not become smaller with \(bits) bits")
            continue
          }
          expect(payload.count < size, "\(payload.count) of \(size) bytes")
          expect(inflated(inflater, payload) == .success(message), "\(size) bytes, \(bits) bits, \(keepsContext)")
          if !keepsContext { expect(Reference.inflate(payload, windowBits: Int32(bits)) == message, "\(size) bytes fit \(bits) bits") }
        }
      }
    }
  }

  @Test func `a context makes repetitions small, and is forgotten when it has to be`() throws {
    let deflater = try #require(Deflater(windowBits: 12, keepsContext: true))
    let inflater = try #require(Inflater(windowBits: 12, keepsContext: true))
    let single = try #require(Inflater(windowBits: 15, keepsContext: false))
    var random = FixedGenerator(seed: 2)
    let message = random.bytes(1_000)
    let first = try #require(deflated(deflater, message))
    let second = try #require(deflated(deflater, message))
    expect(second.count * 10 < first.count, "\(first.count) bytes, then \(second.count)")
    for payload in [first, second] { expect(inflated(inflater, payload) == .success(message), "in order") }
    expectEqual(inflated(single, second), .failure(.malformed), "the second alone refers to the first")

    deflater.forgetContext()
    expectEqual(try #require(deflated(deflater, message)), first, "forgotten")
    expectEqual(deflated(deflater, random.bytes(300, isRandom: true)), nil, "not smaller")
    let last = try #require(deflated(deflater, message))
    expectEqual(last, first, "what was not sent is not referred to")
    expect(inflated(inflater, last) == .success(message), "a peer that keeps its context follows")

    let forgetful = try #require(Deflater(windowBits: 15, keepsContext: false))
    let alone = try #require(deflated(forgetful, message))
    expectEqual(try #require(deflated(forgetful, message)), alone, "nothing is kept")
  }

  @Test func `what does not become smaller is not compressed`() throws {
    var random = FixedGenerator(seed: 3)
    let deflater = try #require(Deflater(windowBits: 15, keepsContext: false))
    for size in [0, 1, 2, 5, 255, 256, 16_384, 70_000] {
      expectEqual(deflated(deflater, random.bytes(size, isRandom: true)), nil, "\(size) random bytes")
    }
    // The smallest gain is one byte: every length of a repetition is either not compressed or smaller.
    let inflater = try #require(Inflater(windowBits: 15, keepsContext: false))
    var isSmaller = false
    for size in 1...40 {
      let message = [UInt8](repeating: 0x61, count: size)
      guard let payload = deflated(deflater, message) else {
        expect(!isSmaller, "\(size) bytes")
        continue
      }
      isSmaller = true
      expect(payload.count < size, "\(payload.count) of \(size) bytes")
      expectEqual(inflated(inflater, payload), .success(message), "\(size) bytes")
    }
    expect(isSmaller, "40 equal bytes become smaller")
  }
}
