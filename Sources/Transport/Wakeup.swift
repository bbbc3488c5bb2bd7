import CLinux
import Glibc

/// An event descriptor that makes a loop look at its mailboxes.
///
/// Closed when nobody can signal it any more, so that a late signal never reaches a stranger with the same number.
struct Wakeup: Sendable {
  /// Readable after a signal.
  let descriptor: OwnedDescriptor

  init() throws(SocketError) {
    descriptor = OwnedDescriptor(eventfd(0, CInt(EFD_NONBLOCK) | CInt(EFD_CLOEXEC)))
    guard descriptor.number >= 0 else { throw .last(.poll) }
  }

  /// Makes the descriptor readable, from any thread.
  func signal() {
    eventfd_write(descriptor.number, 1)
  }

  /// Makes it unreadable until the next signal.
  func reset() {
    var value: eventfd_t = 0
    eventfd_read(descriptor.number, &value)
  }
}
