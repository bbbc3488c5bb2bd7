import ChatModel
import Glibc

/// The time of day.
enum WallClock {
  /// Milliseconds since the Unix epoch.
  static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(time.tv_sec) &* 1000 &+ Timestamp(time.tv_nsec) / 1_000_000
  }
}
