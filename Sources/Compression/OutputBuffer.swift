import Glibc

/// Memory that one message after the other is written to: it grows as needed, and one large message does not keep it large.
package final class OutputBuffer {
  /// What `trim` leaves, bytes: almost every message fits.
  package static let keptBytes = 65_536
  /// What it begins with, bytes.
  private static let firstBytes = 16_384

  private var base: UnsafeMutableRawPointer?
  /// How many bytes there is room for.
  package private(set) var capacity = 0

  /// An empty buffer without memory.
  package init() {}

  deinit { free(base) }

  /// The first bytes of it, which die with the next write.
  package func bytes(_ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: base, count: min(max(0, count), capacity))
  }

  /// The room behind what is written, up to a bound.
  func room(from written: Int, atMost bound: Int) -> UnsafeMutableRawBufferPointer {
    let end = min(capacity, bound)
    guard let base, written >= 0, written < end else { return UnsafeMutableRawBufferPointer(start: nil, count: 0) }
    return UnsafeMutableRawBufferPointer(start: base + written, count: end - written)
  }

  /// Makes more room: double, but never more than the bound; false where the bound is reached or the system has no memory.
  func grow(atMost bound: Int) -> Bool {
    let (double, overflows) = max(capacity, Self.firstBytes / 2).multipliedReportingOverflow(by: 2)
    let wanted = overflows ? bound : min(double, bound)
    guard wanted > capacity, let larger = realloc(base, wanted) else { return false }
    base = larger
    capacity = wanted
    return true
  }

  /// Gives back what a large message needed.
  package func trim() {
    guard capacity > Self.keptBytes else { return }
    free(base)
    base = nil
    capacity = 0
  }
}
