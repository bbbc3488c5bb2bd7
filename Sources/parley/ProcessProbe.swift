import Dispatch
import Locks
import Observability
import Transport

/// Asks the kernel every five seconds what the process uses: on a queue of its own, because counting many descriptors takes a while.
final class ProcessProbe {
  private let last: Lock<ProcessFigures>
  private let timer: any DispatchSourceTimer

  /// Begins to ask.
  ///
  /// - Parameters:
  ///   - startedAt: When the process began, Unix milliseconds.
  ///   - descriptors: How many descriptors it may open.
  init(startedAt: Int64, descriptors: DescriptorLimit) {
    let figures = { @Sendable in
      let usage = ProcessUsage.current()
      var figures = ProcessFigures()
      figures.residentBytes = usage.residentBytes
      figures.virtualBytes = usage.virtualBytes
      figures.openDescriptors = usage.openDescriptors
      figures.maxDescriptors = Int64(clamping: descriptors.soft)
      figures.processorMicroseconds = usage.processorMicroseconds
      figures.startedAt = startedAt
      return figures
    }
    let last = Lock(figures())
    self.last = last
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "parley.process"))
    timer.schedule(deadline: .now() + .seconds(5), repeating: .seconds(5), leeway: .milliseconds(500))
    timer.setEventHandler {
      let now = figures()
      last.withLock { $0 = now }
    }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// What the kernel said last, from any thread.
  var figures: @Sendable () -> ProcessFigures { { [last] in last.withLock { $0 } } }
}
