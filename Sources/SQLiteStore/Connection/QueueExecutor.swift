import Dispatch

/// Runs an actor on a serial queue of its own, so that a connection has one thread at a time and callers need no `await`.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  /// Makes the queue under a name for debuggers.
  init(label: String) { queue = DispatchQueue(label: label) }

  /// Runs the body behind all that was given before.
  func perform(_ body: @escaping @Sendable () -> Void) { queue.async(execute: body) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  func checkIsolated() { dispatchPrecondition(condition: .onQueue(queue)) }
}
