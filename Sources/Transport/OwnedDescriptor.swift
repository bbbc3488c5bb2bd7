import Glibc

/// A descriptor that is closed when the last holder lets go of it.
final class OwnedDescriptor: Sendable {
  /// The descriptor's number, valid while this object is held.
  let number: CInt

  /// Takes a descriptor over; negative ones, of a call that failed, are never closed.
  init(_ number: CInt) {
    self.number = number
  }

  deinit {
    if number >= 0 { close(number) }
  }
}
