/// How long a client stays away: a random part of a time that doubles with each attempt that fails (full jitter).
struct ReconnectPace: Equatable {
  /// The first time, and the longest, milliseconds.
  static let first = 2_000
  static let longest = 30_000

  private var failures = 0

  /// A session was opened.
  mutating func succeeded() { failures = 0 }

  /// The time until the next attempt, milliseconds.
  ///
  /// - Parameters:
  ///   - random: From 0 to 1.
  ///   - minimum: What the gateway asked for.
  mutating func next(random: Double, atLeastMs minimum: Int) -> Int {
    let window = min(Self.longest, Self.first << min(failures, 4))
    failures += 1
    return max(minimum, Int(Double(window) * min(max(0, random), 1)))
  }
}
