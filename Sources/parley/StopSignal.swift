import Locks

/// Lets one task wait for a signal.
final class StopSignal: Sendable {
  private enum State {
    case quiet
    case waited(CheckedContinuation<Void, Never>)
    case raised
  }

  private let state = Lock(State.quiet)

  /// Wakes whoever waits, now or later.
  func raise() {
    let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
      defer { state = .raised }
      if case .waited(let continuation) = state { return continuation }
      return nil
    }
    waiter?.resume()
  }

  /// Returns when the signal was raised; for one task.
  func wait() async {
    await withCheckedContinuation { continuation in
      let isRaised = state.withLock { state -> Bool in
        if case .raised = state { return true }
        state = .waited(continuation)
        return false
      }
      if isRaised { continuation.resume() }
    }
  }
}
