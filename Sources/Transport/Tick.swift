import Glibc

/// A moment of the monotonic clock, in milliseconds since an arbitrary start.
package struct Tick: Comparable, Hashable, Sendable {
  /// Milliseconds since the clock's start, which is the machine's.
  package let milliseconds: UInt64

  /// A moment given by its milliseconds.
  package init(milliseconds: UInt64) {
    self.milliseconds = milliseconds
  }

  /// Reads `CLOCK_MONOTONIC`.
  package static func now() -> Tick {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    let seconds = UInt64(truncatingIfNeeded: time.tv_sec)
    let nanoseconds = UInt64(truncatingIfNeeded: time.tv_nsec)
    return Tick(milliseconds: seconds &* 1000 &+ nanoseconds / 1_000_000)
  }

  /// The moment `milliseconds` later; the last one there is where the sum does not fit.
  package static func + (tick: Tick, milliseconds: UInt64) -> Tick {
    let (sum, overflow) = tick.milliseconds.addingReportingOverflow(milliseconds)
    return Tick(milliseconds: overflow ? .max : sum)
  }

  /// Milliseconds that passed since `earlier`; 0 where that is not earlier.
  package func milliseconds(since earlier: Tick) -> UInt64 {
    milliseconds > earlier.milliseconds ? milliseconds &- earlier.milliseconds : 0
  }

  package static func < (left: Tick, right: Tick) -> Bool {
    left.milliseconds < right.milliseconds
  }
}
