/// Why the gateway closes a connection that keeps to RFC 6455; each has one code and one text.
package enum CloseReason: Hashable, Sendable, CaseIterable {
  case sessionClosed
  case binaryMessage
  case invalidUTF8
  case internalError
  case restart
  case overloaded
  case authenticationTimeout
  case tokenExpired
  case badToken
  case sessionRevoked
  case slowReader
  case rateLimitAbused
  case tooManyConnections

  /// The close code (`docs/protocol.md`, Closing).
  package var code: UInt16 {
    switch self {
    case .sessionClosed: 1000
    case .binaryMessage: 1003
    case .invalidUTF8: 1007
    case .internalError: 1011
    case .restart: 1012
    case .overloaded: 1013
    case .authenticationTimeout: 4000
    case .tokenExpired: 4001
    case .badToken: 4002
    case .sessionRevoked: 4003
    case .slowReader: 4100
    case .rateLimitAbused: 4101
    case .tooManyConnections: 4102
    }
  }

  /// The text in the close frame: at most 123 bytes (RFC 6455 §5.5).
  package var text: String { text(retryAfterMs: usualRetryMs) }

  /// The text with a time after which the client may come back, milliseconds, for programs to read.
  package func text(retryAfterMs: Int?) -> String { retryAfterMs.map { "\(sentence); retry_after_ms=\($0)" } ?? sentence }

  /// After how long a client may come back that is told to back off; nil where that is said otherwise, or not wished.
  private var usualRetryMs: Int? {
    switch self {
    case .overloaded, .slowReader: 1_000
    // As long as the limit remembers.
    case .rateLimitAbused: 10_000
    // Another connection has to end first.
    case .tooManyConnections: 30_000
    case .sessionClosed, .binaryMessage, .invalidUTF8, .internalError, .restart, .authenticationTimeout, .tokenExpired, .badToken,
      .sessionRevoked:
      nil
    }
  }

  /// The reason for people.
  private var sentence: String {
    switch self {
    case .sessionClosed: "the session was closed"
    case .binaryMessage: "only text messages are taken"
    case .invalidUTF8: "the text is not UTF-8"
    case .internalError: "the server made a mistake"
    case .restart: "the server restarts; come back"
    case .overloaded: "the server is overloaded; come back later"
    case .authenticationTimeout: "no session was opened in time"
    case .tokenExpired: "the token expired; come back with a new one"
    case .badToken: "the token is not accepted"
    case .sessionRevoked: "the session was revoked"
    case .slowReader: "the client reads too slowly"
    case .rateLimitAbused: "the rate limit was ignored for too long"
    case .tooManyConnections: "the user has too many connections"
    }
  }
}
