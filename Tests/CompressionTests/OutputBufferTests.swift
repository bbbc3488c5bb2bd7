import TestSupport
import Testing

@testable import Compression

@Suite struct OutputBufferTests {
  @Test func `it doubles up to a bound and lends no more than it has`() {
    let buffer = OutputBuffer()
    expectEqual(buffer.bytes(10).count, 0, "empty")
    expectEqual(buffer.room(from: 0, atMost: 10).count, 0, "no room")
    expect(buffer.grow(atMost: 10), "a small bound")
    expectEqual(buffer.capacity, 10)
    expect(!buffer.grow(atMost: 10), "the bound is reached")
    var sizes: [Int] = []
    while buffer.grow(atMost: 100_000) { sizes.append(buffer.capacity) }
    expectEqual(sizes, [16_384, 32_768, 65_536, 100_000])
    expectEqual(buffer.room(from: 40, atMost: 50).count, 10, "up to the bound")
    expectEqual([buffer.room(from: 50, atMost: 50).count, buffer.room(from: -1, atMost: 50).count], [0, 0], "none")
    expectEqual([buffer.bytes(7).count, buffer.bytes(-1).count, buffer.bytes(.max).count], [7, 0, 100_000])
    buffer.trim()
    expectEqual(buffer.capacity, 0, "large memory is given back")
    expect(buffer.grow(atMost: OutputBuffer.keptBytes), "small memory")
    buffer.trim()
    expectEqual(buffer.capacity, 16_384, "is kept")
    expect(!buffer.grow(atMost: 0), "nothing grows to nothing")
  }
}
