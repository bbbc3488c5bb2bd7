import Locks
import Testing

/// What a closure was told, and who waits for some of it.
final class Seen<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    var waiters: [(id: Int, fits: @Sendable (Value) -> Bool, continuation: CheckedContinuation<Value?, Never>)] = []
    var lastID = 0
  }

  private let state = Lock(State())

  var values: [Value] { state.withLock { $0.values } }

  var count: Int { state.withLock { $0.values.count } }

  func add(_ value: Value) {
    // Outside of the lock, so that what fits may depend on what came.
    let waiting = state.withLock { state in
      state.values.append(value)
      return state.waiters
    }
    let ids = Set(waiting.filter { $0.fits(value) }.map(\.id))
    let woken = state.withLock { state in
      let woken = state.waiters.filter { ids.contains($0.id) }
      state.waiters.removeAll { ids.contains($0.id) }
      return woken
    }
    for waiter in woken { waiter.continuation.resume(returning: value) }
  }

  /// The first value that fits, among those that came and those that come within ten seconds.
  @discardableResult
  func first(
    _ what: String, at location: SourceLocation = #_sourceLocation, where fits: @escaping @Sendable (Value) -> Bool
  ) async throws -> Value {
    let value = await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
      let (known, id) = state.withLock { state -> ([Value], Int) in
        state.lastID += 1
        state.waiters.append((state.lastID, fits, continuation))
        return (state.values, state.lastID)
      }
      if let value = known.last(where: fits) { return finish(id, value) }
      Task {
        try? await Task.sleep(for: .seconds(10))
        self.finish(id, nil)
      }
    }
    guard let value else {
      Issue.record("\(what) did not come; there were \(values.suffix(3))", sourceLocation: location)
      throw Missing()
    }
    return value
  }

  private func finish(_ id: Int, _ value: Value?) {
    let waiter = state.withLock { state in
      let waiter = state.waiters.first { $0.id == id }
      state.waiters.removeAll { $0.id == id }
      return waiter
    }
    waiter?.continuation.resume(returning: value)
  }
}

struct Missing: Error {}
