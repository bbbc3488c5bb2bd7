import Dispatch

/// A queue on which files are read and written one after the other, so that a disk that hangs holds up no event loop.
final class Lane: SerialExecutor {
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
