import FuzzSupport
import WebSocketProtocol

/// Reads what one peer sends, whole and in pieces, and compares with a plain reading of RFC 6455.
///
/// The first byte chooses the side, the limits and whether compression was agreed on.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  var input = FuzzInput(start, count)
  let options = input.byte()
  let role: Role = options & 1 == 0 ? .server : .client
  let limits =
    options & 2 == 0 ? MessageLimits(maxMessageBytes: 65_536, maxFragments: 64) : MessageLimits(maxMessageBytes: 9, maxFragments: 3)
  let machine = WebSocketMachine(role: role, limits: limits, allowsCompression: options & 4 != 0)
  let bytes = Array(input.bytes)
  let events = Reader.read(bytes, [bytes.count], machine, limits)
  requireEqual(Reader.read(bytes, input.pieces(of: bytes.count), machine, limits), events, "in pieces and whole")
  let single = Array(stride(from: 1, through: min(bytes.count, 160), by: 1)) + [bytes.count]
  requireEqual(Reader.read(bytes, single, machine, limits), events, "byte by byte and whole")
  let plain = PlainReading.events(bytes, role, limits, allowsCompression: options & 4 != 0)
  requireEqual(plain, events.map(\.plain), "read plainly and by the machine")
  for case .message(let opcode, let payload) in events { sendBack(opcode, payload, role) }
  return 0
}

/// What a peer did.
enum Event: Equatable {
  case message(Opcode, [UInt8])
  case compressed(Opcode, [UInt8])
  case ping([UInt8])
  case pong([UInt8])
  case close(CloseCode?, reason: [UInt8])
  case fail(ProtocolViolation)
  /// A failure of which only the close code matters.
  case failed(CloseCode)

  /// The event without the words of a failure.
  var plain: Event { if case .fail(let violation) = self { .failed(violation.closeCode) } else { self } }
}

/// Drives a machine as a connection does.
struct Reader {
  private var machine: WebSocketMachine
  private var events: [Event] = []
  private let limits: MessageLimits

  static func read(_ bytes: [UInt8], _ ends: [Int], _ machine: WebSocketMachine, _ limits: MessageLimits) -> [Event] {
    var reader = Reader(machine: machine, limits: limits)
    var (begin, kept) = (0, [UInt8]())
    for end in ends {
      kept = reader.take(kept + bytes[begin..<end])
      begin = end
      // An unfinished header or control frame is all that a connection has to keep (RFC 6455 §5.2, §5.5).
      require(kept.count <= 131, "\(kept.count) bytes are kept")
    }
    return reader.events
  }

  private init(machine: WebSocketMachine, limits: MessageLimits) {
    self.machine = machine
    self.limits = limits
  }

  /// Takes bytes in memory of exactly their size, so that the sanitizer sees a step beyond; returns what is to come again.
  private mutating func take(_ bytes: [UInt8]) -> [UInt8] {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
    defer { buffer.deallocate() }
    buffer.copyBytes(from: bytes)
    var (offset, turns) = (0, 0)
    while true {
      let before = offset
      let action = machine.next(buffer, &offset)
      require(offset >= before && offset <= buffer.count, "the offset goes on and stays in the bytes")
      turns += 1
      require(turns <= bytes.count + 2, "it comes to an end")
      if action == .needMore { return Array(buffer[offset...]) }
      perform(action, buffer)
    }
  }

  private mutating func perform(_ action: WebSocketMachine.Action, _ buffer: UnsafeMutableRawBufferPointer) {
    switch action {
    case .needMore, .consumed: break
    case .message(let opcode, let range): receive(opcode, Array(buffer[range]))
    case .assembled(let opcode): receive(opcode, machine.takeAssembled())
    case .compressed(let opcode, let range): receiveCompressed(opcode, Array(buffer[range]))
    case .compressedAssembled(let opcode): receiveCompressed(opcode, machine.takeAssembled())
    case .ping(let range): events.append(.ping(Array(buffer[range])))
    case .pong(let range): events.append(.pong(Array(buffer[range])))
    case .closeReceived(let code, let reason):
      events.append(.close(code, reason: Array(buffer[reason])))
      require(!machine.isOpen && !machine.closeReply(maskKey: 7).isEmpty && machine.isClosed, "a close is answered once")
      require(machine.closeReply().isEmpty && machine.frame(.text, [65]).isEmpty, "nothing follows a close frame")
    case .closeCompleted: require(false, "nobody closed from here")
    case .fail(let violation):
      events.append(.fail(violation))
      let frame = machine.close(violation.closeCode, reason: violation.reason, maskKey: 7)
      require(!frame.isEmpty && frame.count <= 131 && machine.isClosed, "a violation is answered")
    }
  }

  private mutating func receive(_ opcode: Opcode, _ payload: [UInt8]) {
    require(payload.count <= limits.maxMessageBytes, "a message keeps the limit")
    require(opcode == .binary || opcode == .text && String(validating: payload, as: UTF8.self) != nil, "a text is UTF-8")
    events.append(.message(opcode, payload))
  }

  private mutating func receiveCompressed(_ opcode: Opcode, _ payload: [UInt8]) {
    require(payload.count <= limits.maxCompressedBytes && opcode.beginsMessage, "a compressed message keeps its limit")
    events.append(.compressed(opcode, payload))
  }
}

/// What a peer said, said back by the machine of the same side, is what the other side reads.
private func sendBack(_ opcode: Opcode, _ payload: [UInt8], _ role: Role) {
  let limits = MessageLimits(maxMessageBytes: payload.count)
  let frame = WebSocketMachine(role: role, limits: limits).frame(opcode, payload, maskKey: 0x0102_F3F4)
  let other: Role = role == .server ? .client : .server
  let machine = WebSocketMachine(role: other, limits: limits)
  requireEqual(Reader.read(frame, [frame.count], machine, limits), [.message(opcode, payload)], "sent and read again")
}
