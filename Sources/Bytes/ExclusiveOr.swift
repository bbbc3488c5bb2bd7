/// Masks or unmasks bytes in place and says whether the result is ASCII (RFC 6455 §5.3).
///
/// - Parameters:
///   - bytes: What is changed in place. Any alignment, also empty.
///   - key: The masking key as loaded from memory, so that its first byte in memory meets the first byte at phase 0.
///   - phase: How many bytes of the payload came before these; only its remainder by four counts.
/// - Returns: `true` if no byte of the result has its top bit set, which costs nothing to find out on the way.
@discardableResult
package func exclusiveOr(_ bytes: UnsafeMutableRawBufferPointer, key: UInt32, phase: Int) -> Bool {
  guard var cursor = bytes.baseAddress else { return true }
  let end = cursor + bytes.count
  let turned = rotated(key, by: phase).littleEndian
  let pair = UInt64(turned) | UInt64(turned) << 32
  let word = UInt64(littleEndian: pair)
  var seen: UInt64 = 0
  if bytes.count >= 32 {
    let wide = SIMD4<UInt64>(repeating: word)
    var seenWide = SIMD4<UInt64>(repeating: 0)
    while end - cursor >= 32 {
      let result = cursor.loadUnaligned(as: SIMD4<UInt64>.self) ^ wide
      cursor.storeBytes(of: result, as: SIMD4<UInt64>.self)
      seenWide |= result
      cursor += 32
    }
    seen = seenWide[0] | seenWide[1] | seenWide[2] | seenWide[3]
  }
  while end - cursor >= 8 {
    let result = cursor.loadUnaligned(as: UInt64.self) ^ word
    cursor.storeBytes(of: result, as: UInt64.self)
    seen |= result
    cursor += 8
  }
  var rest = pair
  while cursor < end {
    let result = cursor.load(as: UInt8.self) ^ UInt8(truncatingIfNeeded: rest)
    cursor.storeBytes(of: result, as: UInt8.self)
    seen |= UInt64(result)
    rest >>= 8
    cursor += 1
  }
  return seen & 0x8080_8080_8080_8080 == 0
}

/// Turns a masking key so that the byte for `phase` comes first in memory.
@inline(__always)
package func rotated(_ key: UInt32, by phase: Int) -> UInt32 {
  let shift = UInt32(truncatingIfNeeded: phase & 3) &* 8
  let little = key.littleEndian
  return UInt32(littleEndian: little &>> shift | (shift == 0 ? 0 : little &<< (32 &- shift)))
}
