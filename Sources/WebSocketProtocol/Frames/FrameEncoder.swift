import Bytes

/// Writes frames (RFC 6455 §5.2).
package enum FrameEncoder {
  /// Bytes of the header before a payload of this many bytes: 2 to 14.
  package static func headerSize(payloadCount: Int, isMasked: Bool = false) -> Int {
    (payloadCount < 126 ? 2 : payloadCount <= 0xFFFF ? 4 : 10) + (isMasked ? 4 : 0)
  }

  /// Appends a header.
  ///
  /// - Parameters:
  ///   - opcode: The opcode; `continuation` behind the first frame of a message.
  ///   - payloadCount: Bytes of the payload that the caller appends.
  ///   - isFinal: FIN.
  ///   - isCompressed: RSV1.
  ///   - maskKey: The key of a client's frame, fresh from a secure generator for each frame (§5.3); `nil` in a server's.
  ///   - bytes: Where the header goes.
  @inline(__always)
  package static func appendHeader(
    _ opcode: Opcode, payloadCount: Int, isFinal: Bool = true, isCompressed: Bool = false, maskKey: UInt32? = nil, to bytes: inout [UInt8]
  ) {
    bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0) | (isCompressed ? 0x40 : 0))
    let mask: UInt8 = maskKey == nil ? 0 : 0x80
    if payloadCount < 126 {
      bytes.append(mask | UInt8(truncatingIfNeeded: payloadCount))
    } else {
      let lengthSize = payloadCount <= 0xFFFF ? 2 : 8
      bytes.append(mask | (lengthSize == 2 ? 126 : 127))
      for place in stride(from: (lengthSize - 1) * 8, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: payloadCount &>> place))
      }
    }
    if let maskKey { withUnsafeBytes(of: maskKey) { bytes.append(contentsOf: $0) } }
  }

  /// Appends a whole frame; a client's payload is masked on the way.
  @inline(__always)
  package static func append(
    _ opcode: Opcode, payload: UnsafeRawBufferPointer, isFinal: Bool = true, isCompressed: Bool = false, maskKey: UInt32? = nil,
    to bytes: inout [UInt8]
  ) {
    appendHeader(
      opcode, payloadCount: payload.count, isFinal: isFinal, isCompressed: isCompressed, maskKey: maskKey, to: &bytes)
    let start = bytes.count
    bytes.append(contentsOf: payload)
    if let maskKey {
      bytes.withUnsafeMutableBytes { bytes in
        _ = exclusiveOr(UnsafeMutableRawBufferPointer(rebasing: bytes[start...]), key: maskKey, phase: 0)
      }
    }
  }

  /// A whole frame of its own, such as one that many connections share.
  package static func frame(
    _ opcode: Opcode, _ payload: [UInt8], isFinal: Bool = true, isCompressed: Bool = false, maskKey: UInt32? = nil
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(headerSize(payloadCount: payload.count, isMasked: maskKey != nil) + payload.count)
    payload.withUnsafeBytes {
      append(opcode, payload: $0, isFinal: isFinal, isCompressed: isCompressed, maskKey: maskKey, to: &bytes)
    }
    return bytes
  }
}
