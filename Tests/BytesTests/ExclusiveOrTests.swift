import Bytes
import TestSupport
import Testing

@Suite struct ExclusiveOrTests {
  @Test func `bytes of any length, alignment and phase meet their byte of the key`() {
    let key: [UInt8] = [0x37, 0xFA, 0x21, 0x3D]
    let loaded = key.withUnsafeBytes { $0.loadUnaligned(as: UInt32.self) }
    for count in 0...75 {
      for start in 0..<9 {
        for phase in [0, 1, 2, 3, 4, 7, -1] {
          let before = (0..<(start + count + 1)).map { UInt8(truncatingIfNeeded: $0 * 37) }
          var expected = before
          for index in 0..<count { expected[start + index] ^= key[(index + phase) & 3] }
          var bytes = before
          let isASCII = bytes.withUnsafeMutableBytes {
            exclusiveOr(UnsafeMutableRawBufferPointer(rebasing: $0[start..<(start + count)]), key: loaded, phase: phase)
          }
          expectEqual(bytes, expected, "\(count) bytes from \(start), phase \(phase)")
          expectEqual(isASCII, expected[start..<(start + count)].allSatisfy { $0 < 0x80 }, "ASCII, \(count) bytes from \(start)")
        }
      }
    }
  }

  @Test func `one byte that is not ASCII is seen wherever it stands`() {
    for count in 1...75 {
      for place in 0..<count {
        var bytes = [UInt8](repeating: 0x61, count: count)
        expect(bytes.withUnsafeMutableBytes { exclusiveOr($0, key: 0, phase: 0) }, "\(count) bytes of ASCII")
        bytes[place] = 0xC3
        expect(!bytes.withUnsafeMutableBytes { exclusiveOr($0, key: 0, phase: 0) }, "\(count) bytes, \(place) not ASCII")
      }
    }
    expect(exclusiveOr(UnsafeMutableRawBufferPointer(start: nil, count: 0), key: 1, phase: 0), "no memory at all")
  }
}
