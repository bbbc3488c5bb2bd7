import Glibc

/// A clock that never goes back, for durations.
enum SteadyClock {
  /// Microseconds since some moment before the start.
  static func microseconds() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(clamping: time.tv_sec) &* 1_000_000 &+ UInt64(clamping: time.tv_nsec) / 1_000
  }
}
