/// A close code (RFC 6455 §7.4 and the gateway's own, `docs/protocol.md`).
package struct CloseCode: RawRepresentable, Equatable, Hashable, Sendable {
  /// The number as it stands in the frame.
  package let rawValue: UInt16

  /// Makes a code from any number.
  package init(rawValue: UInt16) {
    self.rawValue = rawValue
  }

  private init(_ rawValue: UInt16) {
    self.rawValue = rawValue
  }

  /// Asked for.
  package static let normal = CloseCode(1000)
  /// The page or the server leaves.
  package static let goingAway = CloseCode(1001)
  /// The peer broke RFC 6455.
  package static let protocolError = CloseCode(1002)
  /// A kind of message that is not taken, such as binary.
  package static let unsupportedData = CloseCode(1003)
  /// A text or reason that is not UTF-8.
  package static let invalidPayload = CloseCode(1007)
  /// A message that breaks the server's rules.
  package static let policyViolation = CloseCode(1008)
  /// A message with too many bytes or fragments.
  package static let messageTooBig = CloseCode(1009)
  /// The client misses an extension.
  package static let missingExtension = CloseCode(1010)
  /// Our fault.
  package static let internalError = CloseCode(1011)
  /// The server restarts: come back after a while.
  package static let serviceRestart = CloseCode(1012)
  /// Overloaded: come back after a while.
  package static let tryAgainLater = CloseCode(1013)

  /// No authentication in time.
  package static let authenticationTimeout = CloseCode(4000)
  /// The token expired: come with a new one.
  package static let tokenExpired = CloseCode(4001)
  /// The token is bad.
  package static let badToken = CloseCode(4002)
  /// The session was revoked.
  package static let sessionRevoked = CloseCode(4003)
  /// The peer reads too slowly.
  package static let slowReader = CloseCode(4100)
  /// The rate limit was abused.
  package static let rateLimitAbused = CloseCode(4101)
  /// Too many connections.
  package static let tooManyConnections = CloseCode(4102)

  /// Whether a close frame may carry this code (RFC 6455 §7.4.1, §7.4.2, and IANA's registry, which has 1012 to 1014).
  package var isAllowedOnWire: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
