import ChatModel

/// Says when it is time to write that a connected user is active.
struct ActivityPace {
  /// Nil where it is never written.
  private let intervalMs: Int64?
  /// When it is time again, by the tick; nil while nobody is connected.
  private(set) var dueAt: UInt64?

  /// Makes the pace of a user who is not connected.
  init(intervalMs: Int64?) { self.intervalMs = intervalMs }

  /// Whether times are written and shown at all.
  var isKept: Bool { intervalMs != nil }

  /// The user is connected, and was active then as far as is written; says whether it is written now.
  mutating func isDue(since lastActiveAt: Timestamp?, at moment: Moment) -> Bool {
    guard let intervalMs else { return false }
    if let dueAt, moment.tick < dueAt { return false }
    dueAt = nil
    // A time to come is of a clock that went back since.
    guard let lastActiveAt, lastActiveAt <= moment.wall else { return true }
    let (age, isOver) = moment.wall.subtractingReportingOverflow(lastActiveAt)
    guard !isOver, age < intervalMs else { return true }
    dueAt = moment.tick &+ UInt64(intervalMs - age)
    return false
  }

  /// The store failed: it is not tried again before the next time.
  mutating func postpone(at moment: Moment) { dueAt = intervalMs.map { moment.tick &+ UInt64($0) } }

  /// The user's last connection ended.
  mutating func stop() { dueAt = nil }
}
