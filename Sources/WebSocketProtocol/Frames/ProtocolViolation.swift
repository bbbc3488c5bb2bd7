/// A frame or message that breaks RFC 6455, with the close code that answers it.
package enum ProtocolViolation: Error, Equatable, Sendable {
  /// A reserved bit that no extension gave a meaning (§5.2).
  case reservedBit
  /// An opcode that is not defined (§5.2).
  case unknownOpcode
  /// A client's frame without a mask (§5.1).
  case unmaskedFrame
  /// A server's frame with a mask (§5.1).
  case maskedFrame
  /// A length that has a shorter form, or the top bit set (§5.2).
  case malformedLength
  /// A control frame without FIN (§5.5).
  case fragmentedControlFrame
  /// A control frame over 125 bytes (§5.5).
  case longControlFrame
  /// A continuation without a message that it continues (§5.4).
  case unexpectedContinuation
  /// A new message inside an unfinished one (§5.4).
  case unfinishedMessage
  /// A close frame with a body of one byte (§5.5.1).
  case shortCloseBody
  /// A close code that must not be sent (§7.4).
  case invalidCloseCode
  /// A close reason that is not UTF-8 (§5.5.1).
  case invalidCloseReason
  /// A text message that is not UTF-8 (§8.1).
  case invalidText
  /// A compressed message that cannot be inflated (RFC 7692 §6.2).
  case malformedCompression
  /// A message over this many bytes (§10.4), or one that would become so long.
  case messageTooBig(limit: Int)
  /// A message in more frames than this.
  case tooManyFragments(limit: Int)

  /// The close code of the answer (RFC 6455 §7.4.1).
  package var closeCode: CloseCode {
    switch self {
    case .reservedBit, .unknownOpcode, .unmaskedFrame, .maskedFrame, .malformedLength, .fragmentedControlFrame, .longControlFrame,
      .unexpectedContinuation, .unfinishedMessage, .shortCloseBody, .invalidCloseCode:
      .protocolError
    case .invalidCloseReason, .invalidText, .malformedCompression: .invalidPayload
    case .messageTooBig, .tooManyFragments: .messageTooBig
    }
  }

  /// The reason of the close frame, well below 123 bytes.
  package var reason: String {
    switch self {
    case .reservedBit: "a reserved bit is set"
    case .unknownOpcode: "the opcode is not defined"
    case .unmaskedFrame: "a client must mask its frames"
    case .maskedFrame: "a server must not mask its frames"
    case .malformedLength: "the payload length is malformed"
    case .fragmentedControlFrame: "a control frame must not be fragmented"
    case .longControlFrame: "a control frame has at most 125 bytes"
    case .unexpectedContinuation: "there is no message to continue"
    case .unfinishedMessage: "the message before is not finished"
    case .shortCloseBody: "a close frame has no body or a whole code"
    case .invalidCloseCode: "the close code must not be sent"
    case .invalidCloseReason: "the close reason is not UTF-8"
    case .invalidText: "the text is not UTF-8"
    case .malformedCompression: "the compressed message cannot be inflated"
    case .messageTooBig(let limit): "a message has at most \(limit) bytes"
    case .tooManyFragments(let limit): "a message has at most \(limit) fragments"
    }
  }
}
