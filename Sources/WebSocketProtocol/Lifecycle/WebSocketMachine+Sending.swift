// What one side sends. Clients give a masking key, fresh from a secure generator for each frame (RFC 6455 §5.3); servers leave it out.
extension WebSocketMachine {
  /// We close: the bytes of the close frame, or none if one was sent before or is no longer wanted.
  ///
  /// Behind ``Action/fail(_:)`` and ``Action/closeReceived(_:reason:)`` it is the answer and the end. Else the peer's answer is awaited.
  ///
  /// - Parameters:
  ///   - code: Why. One that must not be sent (RFC 6455 §7.4.1) leaves the frame empty.
  ///   - reason: For people; cut to 123 bytes between two scalars.
  ///   - maskKey: A client's masking key.
  package mutating func close(_ code: CloseCode, reason: String = "", maskKey: UInt32 = 0) -> [UInt8] {
    guard startClosing() else { return [] }
    return closeFrame(code.isAllowedOnWire ? code : nil, reason, maskKey)
  }

  /// The answer to ``Action/closeReceived(_:reason:)``: the peer's code without a reason (RFC 6455 §5.5.1).
  package mutating func closeReply(maskKey: UInt32 = 0) -> [UInt8] {
    let code = codeToEcho
    guard startClosing() else { return [] }
    return closeFrame(code, "", maskKey)
  }

  /// A whole frame with this side's masking, or nothing once closing has begun: no data follows a close frame (RFC 6455 §5.5.1).
  ///
  /// The payload of a control frame is cut to 125 bytes.
  package func frame(_ opcode: Opcode, _ payload: [UInt8] = [], maskKey: UInt32 = 0) -> [UInt8] {
    guard isOpen else { return [] }
    return encoded(opcode, opcode.isControl ? Array(payload.prefix(125)) : payload, maskKey)
  }

  private func closeFrame(_ code: CloseCode?, _ reason: String, _ maskKey: UInt32) -> [UInt8] {
    var body: [UInt8] = []
    if let code {
      body = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 0xFF)]
      for scalar in reason.unicodeScalars {
        let bytes = UTF8.encode(scalar).map(Array.init) ?? []
        guard body.count + bytes.count <= 125 else { break }
        body += bytes
      }
    }
    return encoded(.close, body, maskKey)
  }

  private func encoded(_ opcode: Opcode, _ payload: [UInt8], _ maskKey: UInt32) -> [UInt8] {
    switch role {
    case .server: FrameEncoder.frame(opcode, payload)
    case .client: FrameEncoder.frame(opcode, payload, maskKey: maskKey)
    }
  }
}
