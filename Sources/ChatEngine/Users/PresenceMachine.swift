/// Whether a user is online: from the first connection until a while after the last, so that a blip is no news.
struct PresenceMachine {
  private enum State: Hashable {
    /// Not connected. Next: `online`.
    case offline
    /// Connected. Next: `leaving`.
    case online
    /// The last connection ended. Next: `online` when one comes before the tick, else `offline`.
    case leaving(until: UInt64)
  }

  /// What others are told of an event.
  enum News: Hashable {
    case none
    case cameOnline
    case wentOffline
  }

  private let graceMs: UInt64
  private var state = State.offline

  /// Makes the machine of a user who is not connected.
  init(graceMs: Int64) { self.graceMs = UInt64(max(0, graceMs)) }

  /// Whether others are told that the user is connected.
  var isOnline: Bool { state != .offline }

  /// When the user is offline unless they come back; nil where nothing is awaited.
  var endsAt: UInt64? { if case .leaving(let tick) = state { tick } else { nil } }

  /// The user has a connection.
  mutating func connected() -> News {
    let news: News = isOnline ? .none : .cameOnline
    state = .online
    return news
  }

  /// The user's last connection ended.
  mutating func disconnected(at tick: UInt64) -> News {
    guard state == .online else { return .none }
    state = .leaving(until: tick &+ graceMs)
    return timeReached(at: tick)
  }

  /// Time has passed.
  mutating func timeReached(at tick: UInt64) -> News {
    guard let endsAt, endsAt <= tick else { return .none }
    state = .offline
    return .wentOffline
  }
}
