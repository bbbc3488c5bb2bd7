import WebSocketProtocol

/// RFC 6455 §5 read as plainly as it can be written: everything at once, copied, frame by frame.
///
/// It is what the machine is compared with, so it shares nothing with it but the names of opcodes.
struct PlainReading {
  private let bytes: [UInt8]
  private let role: Role
  private let limits: MessageLimits
  private let allowsCompression: Bool
  private var place = 0
  private var message: (opcode: Opcode, payload: [UInt8], frames: Int, isCompressed: Bool)?

  /// A frame, of which the payload may still be on its way.
  private struct Frame {
    let opcode: Opcode
    let isFinal: Bool
    let isCompressed: Bool
    let length: UInt64
    let payload: [UInt8]
    var isWhole: Bool { UInt64(payload.count) == length }
  }

  private struct Failure: Error {
    let code: CloseCode
  }

  static func events(_ bytes: [UInt8], _ role: Role, _ limits: MessageLimits, allowsCompression: Bool) -> [Event] {
    var reading = PlainReading(bytes: bytes, role: role, limits: limits, allowsCompression: allowsCompression)
    var events: [Event] = []
    do {
      while let frame = try reading.frame() {
        guard let event = try reading.take(frame) else { continue }
        events.append(event)
        if case .close = event { break }
      }
    } catch {
      events.append(.failed((error as? Failure)?.code ?? .internalError))
    }
    return events
  }

  private init(bytes: [UInt8], role: Role, limits: MessageLimits, allowsCompression: Bool) {
    self.bytes = bytes
    self.role = role
    self.limits = limits
    self.allowsCompression = allowsCompression
  }

  /// The next frame, as far as it has come; nil where not even its head has, or its payload must be whole and is not.
  private mutating func frame() throws -> Frame? {
    let rest = bytes[place...]
    guard let first = rest.first else { return nil }
    guard first & 0x30 == 0, let opcode = Opcode(rawValue: first & 15) else { throw Failure(code: .protocolError) }
    // RFC 7692 §6: RSV1 stands on the first frame of a message, and nowhere else.
    let isCompressed = first & 0x40 != 0
    if isCompressed, !allowsCompression || opcode != .text && opcode != .binary { throw Failure(code: .protocolError) }
    let isControl = opcode == .close || opcode == .ping || opcode == .pong
    if isControl, first & 0x80 == 0 { throw Failure(code: .protocolError) }
    guard rest.count >= 2 else { return nil }
    let second = bytes[place + 1]
    let isMasked = second & 0x80 != 0
    guard isMasked == (role == .server), !isControl || second & 0x7F <= 125 else { throw Failure(code: .protocolError) }
    let lengthBytes = second & 0x7F == 126 ? 2 : second & 0x7F == 127 ? 8 : 0
    guard rest.count >= 2 + lengthBytes else { return nil }
    var length = UInt64(second & 0x7F)
    if lengthBytes > 0 {
      length = rest.dropFirst(2).prefix(lengthBytes).reduce(0) { $0 << 8 | UInt64($1) }
      guard length >> 63 == 0, length > (lengthBytes == 2 ? 125 : 65_535) else { throw Failure(code: .protocolError) }
    }
    let head = 2 + lengthBytes + (isMasked ? 4 : 0)
    guard rest.count >= head else { return nil }
    let mask = isMasked ? Array(rest.dropFirst(head - 4).prefix(4)) : [0, 0, 0, 0]
    let here = rest.dropFirst(head).prefix(Int(clamping: length))
    if isControl, UInt64(here.count) < length { return nil }
    place += head + here.count
    let payload = here.enumerated().map { $1 ^ mask[$0 % 4] }
    return Frame(opcode: opcode, isFinal: first & 0x80 != 0, isCompressed: isCompressed, length: length, payload: payload)
  }

  private mutating func take(_ frame: Frame) throws -> Event? {
    switch frame.opcode {
    case .ping: return .ping(frame.payload)
    case .pong: return .pong(frame.payload)
    case .close: return try close(frame.payload)
    case .text, .binary:
      guard message == nil else { throw Failure(code: .protocolError) }
      message = (frame.opcode, [], 0, frame.isCompressed)
    case .continuation:
      guard message != nil else { throw Failure(code: .protocolError) }
    }
    guard var message else { return nil }
    let most = message.isCompressed ? limits.maxCompressedBytes : limits.maxMessageBytes
    guard frame.length <= UInt64(most - message.payload.count), message.frames < limits.maxFragments else {
      throw Failure(code: .messageTooBig)
    }
    message.payload += frame.payload
    message.frames += 1
    let isWhole = frame.isWhole && frame.isFinal
    let isText = message.opcode == .text && !message.isCompressed
    if isText, !Self.isText(message.payload, mayGoOn: !isWhole) { throw Failure(code: .invalidPayload) }
    self.message = isWhole ? nil : message
    guard isWhole else { return nil }
    if message.isCompressed { return .compressed(message.opcode, message.payload) }
    return .message(message.opcode, message.payload)
  }

  private func close(_ body: [UInt8]) throws -> Event {
    guard !body.isEmpty else { return .close(nil, reason: []) }
    guard body.count >= 2 else { throw Failure(code: .protocolError) }
    let code = UInt16(body[0]) * 256 + UInt16(body[1])
    // RFC 6455 §7.4.1 and §7.4.2; 1012 to 1014 are registered with IANA.
    let isSent = code >= 1000 && code <= 1014 && ![1004, 1005, 1006].contains(code) || code >= 3000 && code < 5000
    guard isSent else { throw Failure(code: .protocolError) }
    guard Self.isText(Array(body[2...]), mayGoOn: false) else { throw Failure(code: .invalidPayload) }
    return .close(CloseCode(rawValue: code), reason: Array(body[2...]))
  }

  /// Whether bytes are UTF-8, or begin some UTF-8: then one of these endings makes them whole.
  static func isText(_ bytes: [UInt8], mayGoOn: Bool) -> Bool {
    if String(validating: bytes, as: UTF8.self) != nil { return true }
    guard mayGoOn else { return false }
    let seconds: [UInt8] = [0x80, 0x90, 0xA0, 0xBF]
    return seconds.contains { second in
      [[second], [second, 0x80], [second, 0x80, 0x80]].contains { String(validating: bytes + $0, as: UTF8.self) != nil }
    }
  }
}
