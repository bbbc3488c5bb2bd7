import Bytes

/// Puts a message together from fragments and from frames that arrive in pieces (RFC 6455 §5.4).
///
/// Memory follows the bytes that came, never a length that was announced.
struct MessageAssembler: Equatable, Sendable {
  private enum State: Equatable {
    /// Between two messages. Next: `running`.
    case idle
    /// In a message of this kind. Next: `idle`.
    case running(Opcode)
    /// In a compressed message of this kind, of which the bytes are not looked at. Next: `idle`.
    case runningCompressed(Opcode)
  }

  private var state: State = .idle
  private var text = UTF8Validator()
  private var fragments: UInt32 = 0
  private var bytes: [UInt8] = []

  /// Whether no message has begun.
  var isIdle: Bool { state == .idle }

  /// Takes the header of a data frame; what it announces is compared with what is left of the limits.
  mutating func begin(_ header: FrameHeader, _ limits: MessageLimits) throws(ProtocolViolation) {
    switch (header.opcode, state) {
    case (.continuation, .idle): throw .unexpectedContinuation
    case (.continuation, .running), (.continuation, .runningCompressed): break
    case (_, .running), (_, .runningCompressed): throw .unfinishedMessage
    case (let opcode, .idle):
      discard()
      state = header.isCompressed ? .runningCompressed(opcode) : .running(opcode)
    }
    guard header.length <= mostBytes(limits) - bytes.count else { throw .messageTooBig(limit: limits.maxMessageBytes) }
    guard Int(fragments) < limits.maxFragments, fragments < .max else { throw .tooManyFragments(limit: limits.maxFragments) }
    fragments += 1
  }

  private func mostBytes(_ limits: MessageLimits) -> Int {
    switch state {
    case .idle, .running: limits.maxMessageBytes
    case .runningCompressed: limits.maxCompressedBytes
    }
  }

  /// Takes the next unmasked payload bytes.
  ///
  /// - Parameters:
  ///   - payload: The bytes.
  ///   - following: How many more the message has, or `nil` before its last frame.
  mutating func append(_ payload: UnsafeRawBufferPointer, following: Int?) throws(ProtocolViolation) {
    if state == .running(.text), text.firstInvalid(in: payload) != nil { throw .invalidText }
    let needed = bytes.count + payload.count
    if needed > bytes.capacity {
      // Doubling, but no further than the message goes. `needed` counts bytes in memory, so its double cannot overflow.
      bytes.reserveCapacity(needed + min(following ?? needed, needed))
    }
    bytes.append(contentsOf: payload)
  }

  /// The last frame is whole: returns what kind of message it was, and whether it is compressed.
  mutating func finish() throws(ProtocolViolation) -> (opcode: Opcode, isCompressed: Bool) {
    guard text.isComplete else { throw .invalidText }
    defer { state = .idle }
    switch state {
    case .running(let opcode): return (opcode, false)
    case .runningCompressed(let opcode): return (opcode, true)
    case .idle: throw .unexpectedContinuation
    }
  }

  /// Hands over the bytes of the message that `finish` ended.
  mutating func take() -> [UInt8] {
    defer { discard() }
    return bytes
  }

  /// Forgets the message and frees its memory.
  mutating func discard() {
    self = MessageAssembler()
  }
}
