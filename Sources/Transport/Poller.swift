import CLinux
import Glibc

/// One epoll descriptor and the memory that its events are written to.
final class Poller {
  /// The epoll descriptor, readable while there are events.
  let descriptor: OwnedDescriptor
  private let events: UnsafeMutablePointer<epoll_event>
  private static let capacity = 512

  init() throws(SocketError) {
    descriptor = OwnedDescriptor(epoll_create1(CInt(EPOLL_CLOEXEC)))
    events = .allocate(capacity: Poller.capacity)
    events.initialize(repeating: epoll_event(), count: Poller.capacity)
    guard descriptor.number >= 0 else { throw .last(.poll) }
  }

  deinit { events.deallocate() }

  /// Watches a descriptor; `mark` comes back with its events.
  func add(_ descriptor: CInt, _ interest: Interest, mark: UInt64) throws(SocketError) {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: mark))
    guard epoll_ctl(self.descriptor.number, EPOLL_CTL_ADD, descriptor, &event) == 0 else { throw .last(.poll) }
  }

  /// Watches a known descriptor for something else.
  func change(_ descriptor: CInt, _ interest: Interest, mark: UInt64) {
    var event = epoll_event(events: interest.rawValue, data: epoll_data_t(u64: mark))
    epoll_ctl(self.descriptor.number, EPOLL_CTL_MOD, descriptor, &event)
  }

  /// Stops watching a descriptor.
  func remove(_ descriptor: CInt) {
    epoll_ctl(self.descriptor.number, EPOLL_CTL_DEL, descriptor, nil)
  }

  /// Takes the events that are there without blocking, at most 512, and says how many.
  func poll() -> Int {
    max(0, Int(epoll_wait(descriptor.number, events, CInt(Poller.capacity), 0)))
  }

  /// One of the events of the last `poll`.
  func event(_ index: Int) -> (mark: UInt64, readiness: Readiness) {
    (events[index].data.u64, Readiness(rawValue: events[index].events))
  }
}
