import Glibc

/// The project's one lock: a mutex and the state that it guards.
///
/// Over a `pthread_mutex_t` on the heap, because ThreadSanitizer understands it and reports false races on `Synchronization.Mutex`.
/// Not recursive: taking it again inside `withLock` blocks forever.
// `@unchecked Sendable` holds: `state` is private and touched only between lock and unlock in `withLock`; `mutex` never changes.
package final class Lock<State: Sendable>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var state: State

  /// Makes an unlocked lock around `state`.
  package init(_ state: State) {
    self.state = state
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deinitialize(count: 1)
    mutex.deallocate()
  }

  /// Runs `body` with the state while no other thread can; keep it short and never call out of the module in it.
  package func withLock<Result, Failure: Error>(_ body: (inout State) throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state)
  }
}
