/// Decides when to ping a peer and when to give up on it: one that is not heard, or that takes nothing of what waits for it.
///
/// The machine never reads a clock: the caller passes the time in, in milliseconds of any steady clock, cut to 32 bits. Times may wrap
/// around, and only differences below 24 days mean something.
package struct KeepAliveMachine: Equatable, Sendable {
  private enum State: Equatable {
    /// The peer was heard at this time. Next: `awaitingLife`.
    case quiet(since: UInt32)
    /// A ping went out at this time. Next: `quiet` on any byte, `expired`.
    case awaitingLife(since: UInt32)
    /// The peer let the grace pass. Terminal.
    case expired
  }

  /// What to do, and when to ask again.
  package enum TimerAction: Equatable, Sendable {
    /// Send a ping and ask again then.
    case sendPing(nextCheck: UInt32)
    /// The peer was heard in the meantime: ask again then.
    case checkAgain(at: UInt32)
    /// Free the connection: nobody is there.
    case closeUnresponsive
    /// Free the connection: the peer takes none of what waits for it, whatever it sends.
    case closeStalled
    /// The peer was given up before.
    case none
  }

  private let interval: UInt32
  private let grace: UInt32
  private var state: State
  /// Since when output waits of which the peer took none; nil while none waits.
  private var stalledSince: UInt32?

  /// Starts with a peer that was heard just now.
  ///
  /// - Parameters:
  ///   - interval: Milliseconds from the last byte received to the ping, below 24 days.
  ///   - grace: Milliseconds from the ping to the end, below 24 days.
  ///   - now: The time.
  package init(interval: UInt32, grace: UInt32, now: UInt32) {
    self.interval = min(interval, UInt32(Int32.max))
    self.grace = min(grace, UInt32(Int32.max))
    state = .quiet(since: now)
  }

  /// When the timer must fire next, or `nil` once the peer was given up.
  package var nextCheck: UInt32? {
    let next: UInt32
    switch state {
    case .quiet(let since): next = since &+ interval
    case .awaitingLife(let since): next = since &+ grace
    case .expired: return nil
    }
    guard let end = stalledSince.map({ $0 &+ patience }) else { return next }
    return Int32(bitPattern: end &- next) < 0 ? end : next
  }

  /// How long a peer may take nothing: as long as it may say nothing.
  private var patience: UInt32 { UInt32(clamping: min(UInt64(interval) + UInt64(grace), UInt64(Int32.max))) }

  /// Records that output waits for the peer after a try to send it.
  ///
  /// - Parameters:
  ///   - now: The time.
  ///   - hasMoved: Whether the peer took some of it.
  package mutating func outputWaits(now: UInt32, hasMoved: Bool) {
    if hasMoved || stalledSince == nil { stalledSince = now }
  }

  /// Records that nothing waits for the peer.
  package mutating func outputIsSent() { stalledSince = nil }

  /// Records that bytes arrived: any byte is a sign of life.
  package mutating func receivedTraffic(now: UInt32) {
    switch state {
    case .quiet, .awaitingLife: state = .quiet(since: now)
    case .expired: break
    }
  }

  /// Reacts to the timer, which may fire late or early.
  package mutating func timerFired(now: UInt32) -> TimerAction {
    if state != .expired, let stalledSince, Self.isOver(patience, since: stalledSince, now: now) {
      state = .expired
      return .closeStalled
    }
    switch state {
    case .quiet(let since):
      guard Self.isOver(interval, since: since, now: now) else { return .checkAgain(at: since &+ interval) }
      state = .awaitingLife(since: now)
      return .sendPing(nextCheck: now &+ grace)
    case .awaitingLife(let since):
      guard Self.isOver(grace, since: since, now: now) else { return .checkAgain(at: since &+ grace) }
      state = .expired
      return .closeUnresponsive
    case .expired:
      return .none
    }
  }

  /// Compares as a signed difference, so that neither a wrap nor a `now` just before `since` counts as a long silence.
  private static func isOver(_ span: UInt32, since: UInt32, now: UInt32) -> Bool {
    Int32(bitPattern: now &- since) >= Int32(bitPattern: span)
  }
}
