/// Why a connection ended: the only label of an ending, in metrics and in log lines.
package enum CloseCause: UInt8, Sendable, CaseIterable {
  /// The client closed the WebSocket.
  case clientClosed
  /// The client asked for the end by `session.close`.
  case sessionClosed
  /// The socket ended without a close frame.
  case peerVanished
  /// Nothing was heard in `graceMs` after a ping.
  case keepAliveExpired
  /// A frame that RFC 6455 forbids.
  case protocolViolation
  /// A text that is not UTF-8.
  case invalidText
  /// A compressed message that cannot be inflated.
  case badCompression
  /// A message of too many bytes or fragments.
  case tooBig
  /// A binary message.
  case binaryRefused
  /// No authentication in time.
  case authTimeout
  /// Too many bad tokens, or one in the sub-protocol list.
  case badToken
  /// The token expired and was not refreshed.
  case tokenExpired
  /// The user's sessions were revoked.
  case revoked
  /// The client reads slower than it is written to.
  case slowReader
  /// The client ignored the rate limit for too long.
  case rateLimited
  /// The user has too many connections.
  case tooManyConnections
  /// The gateway stops.
  case drained
  /// The gateway has no room.
  case overloaded
  /// The bytes before the upgrade were no request.
  case handshakeFailed
  /// The handshake was not finished in time.
  case handshakeTimeout
  /// The bytes were no TLS, or not as they must be.
  case tlsFailed
  /// The upgrade was answered with an error status.
  case requestRefused
  /// A plain HTTP request was answered.
  case requestServed
  /// The system reported an error on the socket.
  case socketError
  /// A mistake of ours.
  case internalError

  /// The label in metrics and log lines.
  package var label: String {
    switch self {
    case .clientClosed: "client_closed"
    case .sessionClosed: "session_closed"
    case .peerVanished: "peer_vanished"
    case .keepAliveExpired: "keep_alive_expired"
    case .protocolViolation: "protocol_violation"
    case .invalidText: "invalid_text"
    case .badCompression: "bad_compression"
    case .tooBig: "too_big"
    case .binaryRefused: "binary_refused"
    case .authTimeout: "auth_timeout"
    case .badToken: "bad_token"
    case .tokenExpired: "token_expired"
    case .revoked: "revoked"
    case .slowReader: "slow_reader"
    case .rateLimited: "rate_limited"
    case .tooManyConnections: "too_many_connections"
    case .drained: "drained"
    case .overloaded: "overloaded"
    case .handshakeFailed: "handshake_failed"
    case .handshakeTimeout: "handshake_timeout"
    case .tlsFailed: "tls_failed"
    case .requestRefused: "request_refused"
    case .requestServed: "request_served"
    case .socketError: "socket_error"
    case .internalError: "internal_error"
    }
  }

  /// The close code that we send for it (docs/protocol.md, Heartbeat and closing); nil where no close frame of ours says it.
  package var closeCode: UInt16? {
    switch self {
    case .sessionClosed: 1000
    case .protocolViolation: 1002
    case .binaryRefused: 1003
    case .invalidText, .badCompression: 1007
    case .tooBig: 1009
    case .internalError: 1011
    case .drained: 1012
    case .overloaded: 1013
    case .authTimeout: 4000
    case .tokenExpired: 4001
    case .badToken: 4002
    case .revoked: 4003
    case .slowReader: 4100
    case .rateLimited: 4101
    case .tooManyConnections: 4102
    case .clientClosed, .peerVanished, .keepAliveExpired: nil
    case .handshakeFailed, .handshakeTimeout, .tlsFailed, .requestRefused, .requestServed, .socketError: nil
    }
  }
}
