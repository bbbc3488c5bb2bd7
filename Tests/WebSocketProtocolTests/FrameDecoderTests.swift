import TestSupport
import Testing
import WebSocketProtocol

@Suite struct FrameDecoderTests {
  private func decode(_ decoder: FrameDecoder, _ bytes: [UInt8], at start: Int = 0) -> FrameDecoder.Outcome {
    bytes.withUnsafeBytes { decoder.decode($0, at: start) }
  }

  private func header(
    _ opcode: Opcode, isFinal: Bool = true, isCompressed: Bool = false, size: Int, length: Int, key: UInt32 = 0
  ) -> FrameDecoder.Outcome {
    .header(FrameHeader(opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, size: size, length: length, maskKey: key))
  }

  @Test func `a header is read once all of it is there, and the payload need not be`() {
    let key: [UInt8] = [1, 2, 3, 4]
    let loaded = key.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    let longest: [UInt8] = [0x7F] + Array(repeating: 0xFF, count: 7)
    let rows: [(Role, [UInt8], FrameDecoder.Outcome)] = [
      (.server, [0x81, 0x80] + key, header(.text, size: 6, length: 0, key: loaded)),
      (.server, [0x02, 0x80 | 125] + key, header(.binary, isFinal: false, size: 6, length: 125, key: loaded)),
      (.server, [0x80, 0x80 | 126, 0, 126] + key, header(.continuation, size: 8, length: 126, key: loaded)),
      (.server, [0x82, 0xFF, 0, 0, 0, 0, 0, 1, 0, 0] + key, header(.binary, size: 14, length: 65_536, key: loaded)),
      (.server, [0x82, 0xFF] + longest + key, header(.binary, size: 14, length: Int.max, key: loaded)),
      (.client, [0x8A, 125], header(.pong, size: 2, length: 125)), (.client, [0x88, 0], header(.close, size: 2, length: 0)),
      (.client, [0x82, 126, 0xFF, 0xFF], header(.binary, size: 4, length: 65_535)),
      (.client, [0x82, 127] + longest, header(.binary, size: 10, length: Int.max)),
    ]
    for (role, bytes, expected) in rows {
      let decoder = FrameDecoder(role: role)
      expectEqual(decode(decoder, bytes), expected, "\(bytes)")
      expectEqual(decode(decoder, [0xFF, 0xFF, 0xFF] + bytes + [0xFF], at: 3), expected, "\(bytes) behind others")
      for end in bytes.indices { expectEqual(decode(decoder, Array(bytes[..<end])), .incomplete, "\(end) bytes of \(bytes)") }
    }
    for start in [-1, 2, 3, Int.max] {
      expectEqual(decode(FrameDecoder(role: .server), [0x81, 0x80], at: start), .incomplete, "at \(start)")
    }
  }

  @Test func `RSV1 begins a message where compression was agreed on, and is a violation elsewhere`() {
    let agreed = FrameDecoder(role: .client, allowsCompression: true)
    expectEqual(decode(agreed, [0xC1, 0]), header(.text, isCompressed: true, size: 2, length: 0))
    expectEqual(decode(agreed, [0x42, 0]), header(.binary, isFinal: false, isCompressed: true, size: 2, length: 0))
    for first in [0xC0, 0x40, 0xC8, 0xC9, 0xCA, 0xE1, 0xD1, 0xF1] as [UInt8] {
      expectEqual(decode(agreed, [first]), .violation(.reservedBit), "\(first)")
    }
    expectEqual(decode(FrameDecoder(role: .client), [0xC1]), .violation(.reservedBit), "not agreed on")
  }
}
