import Bytes

/// One WebSocket connection as a value, for either side (RFC 6455).
///
/// After each read the caller hands in what was received and calls ``next(_:_:)`` until it returns ``Action/needMore``, doing each action
/// before the next call. What stands behind the offset then, at most an unfinished header or control frame (131 bytes), is handed in again
/// in front of the next read. Ranges in actions are of the bytes handed in and die with them.
package struct WebSocketMachine: Sendable {
  /// What the caller does next.
  package enum Action: Equatable, Sendable {
    /// Nothing: read on.
    case needMore
    /// Nothing: call again.
    case consumed
    /// A whole message, text (checked) or binary, lies in the bytes.
    case message(Opcode, Range<Int>)
    /// A whole message is ready to be fetched with ``WebSocketMachine/takeAssembled()``.
    case assembled(Opcode)
    /// A whole compressed message lies in the bytes: inflate it to at most ``WebSocketMachine/maxMessageBytes``, and if it is text check it
    /// (``WebSocketMachine/checkInflated(_:_:)``).
    case compressed(Opcode, Range<Int>)
    /// A whole compressed message is ready to be fetched with ``WebSocketMachine/takeAssembled()``, and inflated and checked likewise.
    case compressedAssembled(Opcode)
    /// Answer with a pong of the same payload (§5.5.2).
    case ping(Range<Int>)
    /// The peer answered a ping, or sent a pong unasked (§5.5.3).
    case pong(Range<Int>)
    /// The peer closes: send ``WebSocketMachine/closeReply(maskKey:)``. Without a code the body was empty.
    case closeReceived(CloseCode?, reason: Range<Int>)
    /// The peer answered our close, or both crossed: nothing is left to send.
    case closeCompleted(CloseCode?, reason: Range<Int>)
    /// The peer broke the protocol: send ``WebSocketMachine/close(_:reason:maskKey:)`` with the violation's code and reason.
    case fail(ProtocolViolation)
  }

  /// The data frame of which only a part has come.
  private struct RunningFrame: Equatable {
    /// Payload bytes still to come.
    var missing = 0
    /// The masking key, turned so that it fits the next byte.
    var maskKey: UInt32 = 0
    var isFinal = false
  }

  /// Our side.
  let role: Role
  private let decoder: FrameDecoder
  private var closing = CloseMachine()
  private var limits: MessageLimits
  private var frame = RunningFrame()
  private var assembler = MessageAssembler()

  /// Starts behind the opening handshake.
  ///
  /// - Parameters:
  ///   - role: Our side.
  ///   - limits: What a message may be.
  ///   - allowsCompression: Whether permessage-deflate was agreed on (RFC 7692).
  package init(role: Role, limits: MessageLimits, allowsCompression: Bool = false) {
    self.role = role
    self.limits = limits
    decoder = FrameDecoder(role: role, allowsCompression: allowsCompression)
  }

  /// Whether messages flow both ways.
  package var isOpen: Bool { closing.isOpen }

  /// Whether the closing handshake is over: only the transport is left to close.
  package var isClosed: Bool { closing.isClosed }

  /// The most bytes of a message, inflated where it is compressed.
  package var maxMessageBytes: Int { limits.maxMessageBytes }

  /// Replaces the limits, from the next frame on.
  package mutating func setLimits(_ limits: MessageLimits) {
    self.limits = limits
  }

  /// Takes the next frame, or the part of it that has come, and moves the offset behind it.
  ///
  /// Payloads are unmasked in place. After a close or a failure whatever follows is dropped.
  package mutating func next(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) -> Action {
    guard closing.isListening else {
      offset = bytes.count
      return .needMore
    }
    if frame.missing > 0 { return takePayload(bytes, &offset) }
    switch decoder.decode(UnsafeRawBufferPointer(bytes), at: offset) {
    case .incomplete: return .needMore
    case .violation(let violation): return fail(violation, bytes, &offset)
    case .header(let header):
      let start = offset + header.size
      let isWhole = header.length <= bytes.count - start
      if isWhole, header.isFinal, header.opcode.beginsMessage, assembler.isIdle, closing.isOpen, header.length <= limits.maxMessageBytes {
        return header.isCompressed
          ? takeCompressed(header, at: start, bytes, &offset) : takeMessage(header, at: start, bytes, &offset)
      }
      if header.opcode.isControl { return isWhole ? takeControl(header, at: start, bytes, &offset) : .needMore }
      offset = start
      return begin(header, bytes, &offset)
    }
  }

  /// Hands over the message that ``Action/assembled(_:)`` announced.
  package mutating func takeAssembled() -> [UInt8] { assembler.take() }

  /// The code that the answer to the peer's close repeats.
  var codeToEcho: CloseCode? { closing.codeToEcho }

  /// Says whether a close frame is to be sent now, and forgets the message that was being received.
  mutating func startClosing() -> Bool {
    assembler.discard()
    return closing.sendClose()
  }

  // MARK: - Data frames

  /// The short way of almost every message: one frame, all of it here.
  @inline(__always)
  private mutating func takeMessage(
    _ header: FrameHeader, at start: Int, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int
  ) -> Action {
    let payload = Range(uncheckedBounds: (start, start + header.length))
    let body = UnsafeMutableRawBufferPointer(rebasing: bytes[payload])
    let isASCII = role == .server && exclusiveOr(body, key: header.maskKey, phase: 0)
    if header.opcode == .text, !isASCII, !UTF8Validator.isValid(UnsafeRawBufferPointer(body)) {
      return fail(.invalidText, bytes, &offset)
    }
    offset = payload.upperBound
    return .message(header.opcode, payload)
  }

  private func takeCompressed(
    _ header: FrameHeader, at start: Int, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int
  ) -> Action {
    let payload = start..<(start + header.length)
    if role == .server { exclusiveOr(UnsafeMutableRawBufferPointer(rebasing: bytes[payload]), key: header.maskKey, phase: 0) }
    offset = payload.upperBound
    return .compressed(header.opcode, payload)
  }

  /// Checks what came out of a compressed message: a text must be UTF-8 (RFC 6455 §8.1).
  package static func checkInflated(_ opcode: Opcode, _ message: UnsafeRawBufferPointer) -> ProtocolViolation? {
    opcode != .text || UTF8Validator.isValid(message) ? nil : .invalidText
  }

  private mutating func begin(_ header: FrameHeader, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) -> Action {
    if closing.isOpen {
      do throws(ProtocolViolation) {
        try assembler.begin(header, limits)
      } catch {
        return fail(error, bytes, &offset)
      }
    }
    frame = RunningFrame(missing: header.length, maskKey: header.maskKey, isFinal: header.isFinal)
    return takePayload(bytes, &offset)
  }

  /// Takes what has come of the running frame.
  ///
  /// While our close awaits its answer, data is skipped (RFC 6455 §1.4).
  private mutating func takePayload(_ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) -> Action {
    let count = min(frame.missing, max(0, bytes.count - offset))
    let payload = UnsafeMutableRawBufferPointer(rebasing: bytes[offset..<(offset + count)])
    frame.missing -= count
    do throws(ProtocolViolation) {
      if closing.isOpen, count > 0 {
        if role == .server {
          exclusiveOr(payload, key: frame.maskKey, phase: 0)
          frame.maskKey = rotated(frame.maskKey, by: count)
        }
        try assembler.append(UnsafeRawBufferPointer(payload), following: frame.isFinal ? frame.missing : nil)
      }
      offset += count
      if frame.missing > 0 { return .needMore }
      guard frame.isFinal, closing.isOpen else { return .consumed }
      let message = try assembler.finish()
      return message.isCompressed ? .compressedAssembled(message.opcode) : .assembled(message.opcode)
    } catch {
      return fail(error, bytes, &offset)
    }
  }

  // MARK: - Control frames

  private mutating func takeControl(
    _ header: FrameHeader, at start: Int, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int
  ) -> Action {
    let payload = start..<(start + header.length)
    let body = UnsafeMutableRawBufferPointer(rebasing: bytes[payload])
    if role == .server { exclusiveOr(body, key: header.maskKey, phase: 0) }
    offset = payload.upperBound
    switch header.opcode {
    case .ping: return closing.isOpen ? .ping(payload) : .consumed
    case .pong: return closing.isOpen ? .pong(payload) : .consumed
    case .close, .continuation, .text, .binary: break
    }
    do throws(ProtocolViolation) {
      let code = try Self.closeCode(UnsafeRawBufferPointer(body))
      let reason = min(start + 2, payload.upperBound)..<payload.upperBound
      assembler.discard()
      return closing.receivedClose(code) ? .closeReceived(code, reason: reason) : .closeCompleted(code, reason: reason)
    } catch {
      return fail(error, bytes, &offset)
    }
  }

  /// Checks the body of a close frame (RFC 6455 §5.5.1, §7.4).
  private static func closeCode(_ body: UnsafeRawBufferPointer) throws(ProtocolViolation) -> CloseCode? {
    guard !body.isEmpty else { return nil }
    guard body.count >= 2 else { throw .shortCloseBody }
    let code = CloseCode(rawValue: UInt16(body[0]) << 8 | UInt16(body[1]))
    guard code.isAllowedOnWire else { throw .invalidCloseCode }
    guard UTF8Validator.isValid(UnsafeRawBufferPointer(rebasing: body[2...])) else { throw .invalidCloseReason }
    return code
  }

  private mutating func fail(_ violation: ProtocolViolation, _ bytes: UnsafeMutableRawBufferPointer, _ offset: inout Int) -> Action {
    offset = bytes.count
    closing.fail()
    assembler.discard()
    return .fail(violation)
  }
}
