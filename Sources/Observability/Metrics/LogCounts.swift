/// Lines of the log.
package struct LogCounts: Sendable, Equatable {
  /// Lines by `LogLevel.rawValue`.
  private var lines = [UInt64](repeating: 0, count: LogLevel.allCases.count)
  /// Lines that were not written: too many of their kind in a second, or nobody read the log in time.
  package var dropped: UInt64 = 0

  /// Nothing counted yet.
  package init() {}

  /// A line was written.
  package mutating func write(_ level: LogLevel) { lines[Int(level.rawValue)] &+= 1 }

  /// Lines written of a level.
  package func lines(_ level: LogLevel) -> UInt64 { lines[Int(level.rawValue)] }
}
