/// What a frame is (RFC 6455 §5.2).
package enum Opcode: UInt8, Equatable, Sendable {
  /// A further frame of a message.
  case continuation = 0
  /// The first frame of a message of UTF-8.
  case text = 1
  /// The first frame of a message of any bytes.
  case binary = 2
  /// The closing handshake.
  case close = 8
  /// A question for a sign of life.
  case ping = 9
  /// The answer to it.
  case pong = 10

  /// Whether this is close, ping or pong (RFC 6455 §5.5).
  package var isControl: Bool { rawValue >= 8 }

  /// Whether this begins a message: text or binary.
  package var beginsMessage: Bool { self == .text || self == .binary }
}
