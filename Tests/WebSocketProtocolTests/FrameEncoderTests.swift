import TestSupport
import Testing
import WebSocketProtocol

@Suite struct FrameEncoderTests {
  @Test func `the examples of RFC 6455 are written byte for byte`() {
    let hello = Array("Hello".utf8)
    let rows: [(String, [UInt8], [UInt8])] = [
      ("unmasked text", FrameEncoder.frame(.text, hello), [0x81, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]),
      (
        "masked text", FrameEncoder.frame(.text, hello, maskKey: UInt32(littleEndian: 0x3D21_FA37)),
        [0x81, 0x85, 0x37, 0xFA, 0x21, 0x3D, 0x7F, 0x9F, 0x4D, 0x51, 0x58]
      ),
      ("first fragment", FrameEncoder.frame(.text, Array("Hel".utf8), isFinal: false), [0x01, 0x03, 0x48, 0x65, 0x6C]),
      ("last fragment", FrameEncoder.frame(.continuation, Array("lo".utf8)), [0x80, 0x02, 0x6C, 0x6F]),
      ("ping", FrameEncoder.frame(.ping, hello), [0x89, 0x05, 0x48, 0x65, 0x6C, 0x6C, 0x6F]),
      ("compressed", FrameEncoder.frame(.binary, [1], isCompressed: true), [0xC2, 0x01, 0x01]),
      ("empty", FrameEncoder.frame(.pong, [], maskKey: 0), [0x8A, 0x80, 0, 0, 0, 0]),
    ]
    for (name, actual, expected) in rows { expectEqual(actual, expected, name) }
  }

  @Test func `a length takes its shortest form and is read back`() {
    for count in [0, 1, 125, 126, 127, 255, 256, 65_535, 65_536, 70_000] {
      for key in [nil, testKey] {
        let bytes = FrameEncoder.frame(.binary, Array(repeating: 5, count: count), maskKey: key)
        let size = FrameEncoder.headerSize(payloadCount: count, isMasked: key != nil)
        expectEqual(bytes.count, size + count, "\(count) bytes")
        let outcome = bytes.withUnsafeBytes { FrameDecoder(role: key == nil ? .client : .server).decode($0, at: 0) }
        let header = FrameHeader(opcode: .binary, isFinal: true, isCompressed: false, size: size, length: count, maskKey: key ?? 0)
        expectEqual(outcome, .header(header), "\(count) bytes")
      }
    }
    var bytes: [UInt8] = [9]
    FrameEncoder.appendHeader(.binary, payloadCount: 1 << 40, to: &bytes)
    expectEqual(bytes, [9, 0x82, 127, 0, 0, 1, 0, 0, 0, 0, 0], "a length of 64 bits")
  }
}
