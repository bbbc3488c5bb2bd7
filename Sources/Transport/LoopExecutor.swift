import Dispatch

/// Runs the jobs of one event loop on its serial queue.
package final class LoopExecutor: SerialExecutor {
  /// The queue; the loop's sources are on it too.
  let queue: DispatchQueue

  init(label: String) {
    queue = DispatchQueue(label: label)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }

  package func checkIsolated() {
    dispatchPrecondition(condition: .onQueue(queue))
  }
}
