/// The header of a frame (RFC 6455 §5.2).
package struct FrameHeader: Equatable, Sendable {
  /// The opcode.
  package let opcode: Opcode
  /// FIN: the last frame of its message.
  package let isFinal: Bool
  /// RSV1: the message is compressed (RFC 7692 §6).
  package let isCompressed: Bool
  /// Bytes of the header itself, 2 to 14.
  package let size: Int
  /// Bytes of the payload behind it.
  package let length: Int
  /// The masking key as loaded from memory; 0 in a frame without a mask.
  package let maskKey: UInt32

  /// Makes a header from its parts, unchecked.
  package init(opcode: Opcode, isFinal: Bool, isCompressed: Bool, size: Int, length: Int, maskKey: UInt32) {
    self.opcode = opcode
    self.isFinal = isFinal
    self.isCompressed = isCompressed
    self.size = size
    self.length = length
    self.maskKey = maskKey
  }
}

/// Reads frame headers in place: payloads are never copied and their bytes never looked at.
package struct FrameDecoder: Equatable, Sendable {
  /// What stands at an offset.
  package enum Outcome: Equatable, Sendable {
    /// The header is not whole yet and not wrong yet.
    case incomplete
    /// The header of a frame; its payload need not be there yet.
    case header(FrameHeader)
    /// The bytes cannot be a header.
    case violation(ProtocolViolation)
  }

  private let role: Role
  private let allowsCompression: Bool

  /// Makes the decoder of one side.
  ///
  /// - Parameters:
  ///   - role: Our side: a server demands masks, a client forbids them.
  ///   - allowsCompression: Whether permessage-deflate was agreed on, so that RSV1 may begin a message.
  package init(role: Role, allowsCompression: Bool = false) {
    self.role = role
    self.allowsCompression = allowsCompression
  }

  /// Reads the header that begins at an offset; what is wrong is reported with the byte that makes it so.
  @inline(__always)
  package func decode(_ bytes: UnsafeRawBufferPointer, at start: Int) -> Outcome {
    guard start >= 0, start < bytes.count, let base = bytes.baseAddress else { return .incomplete }
    let available = bytes.count - start
    let head = base + start
    let first = head.load(as: UInt8.self)
    guard first & 0x30 == 0, let opcode = Opcode(rawValue: first & 0x0F) else { return .violation(malformed(first)) }
    let isFinal = first & 0x80 != 0
    let isCompressed = first & 0x40 != 0
    if isCompressed || opcode.isControl, let violation = check(opcode, isFinal, isCompressed) { return .violation(violation) }
    guard available >= 2 else { return .incomplete }
    let second = head.load(fromByteOffset: 1, as: UInt8.self)
    let isMasked = second & 0x80 != 0
    guard isMasked == (role == .server) else { return .violation(isMasked ? .maskedFrame : .unmaskedFrame) }
    let short = Int(second & 0x7F)
    guard short <= 125 || !opcode.isControl else { return .violation(.longControlFrame) }
    let lengthSize = short < 126 ? 0 : short == 126 ? 2 : 8
    guard available >= 2 + lengthSize else { return .incomplete }
    guard let length = length(head, short) else { return .violation(.malformedLength) }
    let size = 2 + lengthSize + (isMasked ? 4 : 0)
    guard available >= size else { return .incomplete }
    let key = isMasked ? head.loadUnaligned(fromByteOffset: 2 + lengthSize, as: UInt32.self) : 0
    return .header(
      FrameHeader(opcode: opcode, isFinal: isFinal, isCompressed: isCompressed, size: size, length: length, maskKey: key))
  }

  /// The payload length, or `nil` where it is not minimal or beyond 63 bits (RFC 6455 §5.2).
  @inline(__always)
  private func length(_ head: UnsafeRawPointer, _ short: Int) -> Int? {
    switch short {
    case 126:
      let length = UInt16(bigEndian: head.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
      return length >= 126 ? Int(length) : nil
    case 127:
      let length = UInt64(bigEndian: head.loadUnaligned(fromByteOffset: 2, as: UInt64.self))
      return length > UInt64(UInt16.max) ? Int(exactly: length) : nil
    default:
      return short
    }
  }

  private func malformed(_ first: UInt8) -> ProtocolViolation {
    first & 0x30 != 0 ? .reservedBit : .unknownOpcode
  }

  /// Checks what is rare: control frames and RSV1, which stands only on the first frame of a message (RFC 7692 §6.1).
  private func check(_ opcode: Opcode, _ isFinal: Bool, _ isCompressed: Bool) -> ProtocolViolation? {
    if isCompressed, !allowsCompression || opcode.isControl || opcode == .continuation { return .reservedBit }
    return opcode.isControl && !isFinal ? .fragmentedControlFrame : nil
  }
}
