/// When the messages of one conversation may go out: after message k of a burst the next waits base · factor^k.
///
/// The burst is over where nothing waits when its last wait ends: with base 1 s and factor 2 messages go at 0, 1, 3, 7 and 15 s.
struct SendPace: Equatable {
  /// How many messages may wait.
  static let maxQueued = 20
  /// How long a message may wait, milliseconds.
  static let maxDelayMs: Int64 = 60_000

  private let base: Int64
  private let factor: Int64
  /// When the last wait ends.
  private var nextTick = Int64.min
  private var nextGap: Int64
  /// When each waiting message goes.
  private var slots: [Int64] = []

  /// Makes a pace, milliseconds; neither is negative.
  init(base: Int64, factor: Int64) {
    self.base = base
    self.factor = factor
    nextGap = base
  }

  /// Takes a place for a message that wants to go now: after how many milliseconds it may; nil where it would be too long.
  mutating func place(at now: Int64) -> Int64? {
    guard base > 0 else { return 0 }
    slots.removeAll { $0 <= now }
    if now >= nextTick {
      nextGap = base
      nextTick = now
    }
    let wait = nextTick &- now
    guard wait <= Self.maxDelayMs, slots.count < Self.maxQueued else { return nil }
    if wait > 0 { slots.append(nextTick) }
    nextTick = Self.sum(nextTick, nextGap)
    let (longer, overflows) = nextGap.multipliedReportingOverflow(by: factor)
    nextGap = overflows ? .max : longer
    return wait
  }

  /// How long a message that got no place would have to wait, milliseconds.
  func delay(at now: Int64) -> Int64 { max(0, nextTick &- now) }

  private static func sum(_ one: Int64, _ other: Int64) -> Int64 {
    let (sum, overflows) = one.addingReportingOverflow(other)
    return overflows ? .max : sum
  }
}
