import Compression
import TestSupport
import Testing
import WebSocketProtocol

@testable import Gateway

@Suite struct SharedFrameTests {
  @Test func `it is compressed once, for all whose window is large enough`() throws {
    let pool = DeflatePool()
    let other = DeflatePool()
    for size in [255, 256, 512, 513, 4_096, 4_097, 100_000] {
      let text = chatText(size)
      let frame = SharedFrame(text: text)
      expectEqual(frame.plain, FrameEncoder.frame(.text, text), "\(size) bytes")
      expectEqual(frame.textCount, size)
      for bits in 8...15 {
        let form = frame.compressed(windowBits: bits, with: bits % 2 == 0 ? pool : other)
        expectEqual(form != nil, size >= 256 && (bits == 15 || size <= 1 << bits), "\(size) bytes, \(bits) bits")
      }
      guard size >= 256 else { continue }
      let form = try #require(frame.compressed(windowBits: 15, with: pool))
      let again = try #require(frame.compressed(windowBits: 15, with: other))
      expect(
        form.frame.withUnsafeBytes { $0.baseAddress } == again.frame.withUnsafeBytes { $0.baseAddress }, "the same bytes on another loop")
      expectEqual(form.frame[0], 0xC1, "one frame with RSV1")
      let payload = Array(form.frame.suffix(form.payloadCount))
      let inflater = try #require(Inflater(windowBits: 15, keepsContext: false))
      let inflated = try payload.withUnsafeBytes { Array(try inflater.inflate($0, limit: size, into: pool.inflated)) }
      expect(inflated == text, "\(size) bytes")
    }
    expect(pool.compressed.capacity <= OutputBuffer.keptBytes, "large memory is given back")
  }

  @Test func `what does not become smaller goes as it is`() {
    var state: UInt64 = 1
    let noise = (0..<2_000).map { _ -> UInt8 in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return UInt8(truncatingIfNeeded: state >> 56)
    }
    let frame = SharedFrame(text: noise)
    for _ in 0..<2 { expect(frame.compressed(windowBits: 15, with: DeflatePool()) == nil, "noise") }
  }
}
