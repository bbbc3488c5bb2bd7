import ChatModel

/// Lets a user's record be changed once a second (`docs/protocol.md`, What the calls mean).
struct ChangePace {
  /// How long after one change the next is accepted, milliseconds.
  static let intervalMs: UInt64 = 1000

  private var lastTick: UInt64?

  /// Counts a change at a tick; throws when it comes too early.
  mutating func count(at tick: UInt64) throws(ChatError) {
    if let lastTick, tick >= lastTick, tick - lastTick < Self.intervalMs {
      let left = Self.intervalMs - (tick - lastTick)
      throw ChatError(.rateLimited, "A user may be changed once a second", retryAfterMs: Int(left))
    }
    lastTick = tick
  }
}
