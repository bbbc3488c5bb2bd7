/// Follows the closing handshake of one connection (RFC 6455 §7).
///
/// A close frame is sent at most once, whatever happens in which order.
struct CloseMachine: Equatable, Sendable {
  private enum State: Equatable {
    /// Messages flow. Next: `closeSent`, `closeReceived`, `failing`.
    case open
    /// Our close frame is out, the peer's is awaited and its data ignored. Next: `closed`.
    case closeSent
    /// The peer's close frame, with this code, is unanswered. Next: `closed`.
    case closeReceived(CloseCode?)
    /// The peer broke the protocol and our close frame is still to be sent. Next: `closed`.
    case failing
    /// Nothing more is sent or listened to. Terminal.
    case closed
  }

  private var state: State = .open

  /// Whether messages are delivered.
  var isOpen: Bool { state == .open }

  /// Whether incoming frames are still looked at.
  var isListening: Bool {
    switch state {
    case .open, .closeSent: true
    case .closeReceived, .failing, .closed: false
    }
  }

  /// Whether the connection is over but for the transport.
  var isClosed: Bool { state == .closed }

  /// We close: says whether a close frame is to be sent.
  mutating func sendClose() -> Bool {
    switch state {
    case .open: state = .closeSent
    case .closeReceived, .failing: state = .closed
    case .closeSent, .closed: return false
    }
    return true
  }

  /// The peer's close frame came: says whether it began the handshake and waits for ours.
  mutating func receivedClose(_ code: CloseCode?) -> Bool {
    switch state {
    case .open:
      state = .closeReceived(code)
      return true
    case .closeSent, .closeReceived, .failing, .closed:
      state = .closed
      return false
    }
  }

  /// The code that our answer repeats (RFC 6455 §5.5.1), or `nil` for an answer without one.
  var codeToEcho: CloseCode? {
    switch state {
    case .closeReceived(let code): code
    case .open, .closeSent, .failing, .closed: nil
    }
  }

  /// The peer broke the protocol.
  mutating func fail() {
    switch state {
    case .open: state = .failing
    case .closeSent, .closeReceived, .failing, .closed: state = .closed
    }
  }
}
