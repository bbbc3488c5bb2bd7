/// Follows the life of the gateway: what it tells of its readiness, and what a signal means.
struct ServerMachine: Equatable {
  private enum State: Equatable {
    /// The loops are being set up. Next: `serving`, `draining`.
    case starting
    /// Clients are let in. Next: `draining`.
    case serving
    /// Clients are asked to leave. Next: `stopped`.
    case draining
    /// The last client is gone. Terminal.
    case stopped
  }

  private var state: State = .starting
  /// Whether somebody asked for the end: the second time it is meant at once.
  private var isAsked = false

  /// The loops run.
  mutating func started() {
    if state == .starting { state = .serving }
  }

  /// Somebody, usually a signal, asks for the end.
  mutating func stopRequested() -> StopAction {
    guard !isAsked else { return state == .stopped ? .nothing : .endAtOnce }
    isAsked = true
    switch state {
    case .starting, .serving:
      state = .draining
      return .drain
    case .draining, .stopped: return .nothing
    }
  }

  /// The drain begins, asked for by a signal or not.
  mutating func drainBegan() {
    switch state {
    case .starting, .serving: state = .draining
    case .draining, .stopped: break
    }
  }

  /// The last connection is gone.
  mutating func drainEnded() { state = .stopped }

  /// Whether new clients are sent away.
  var isDraining: Bool {
    switch state {
    case .draining, .stopped: true
    case .starting, .serving: false
    }
  }

  /// Why new clients should not come; nil while they may.
  var unreadiness: FailedCheck? {
    switch state {
    case .starting: FailedCheck(name: "server", reason: "starting")
    case .serving: nil
    case .draining: FailedCheck(name: "server", reason: "draining")
    case .stopped: FailedCheck(name: "server", reason: "stopped")
    }
  }
}

/// What is done about a request to stop.
package enum StopAction: Equatable, Sendable {
  /// Let running requests finish, say goodbye, then end.
  case drain
  /// It was asked for a second time: end now.
  case endAtOnce
  case nothing
}
