import ChatEngine
import Dispatch
import Gateway
import Locks
import SQLiteStore

/// Asks the store once a second whether it could keep something, so that readiness is known without waiting.
final class StoreProbe {
  private let last: Lock<StoreError?>
  private let timer: any DispatchSourceTimer

  init(_ store: SQLiteStore) {
    let last = Lock<StoreError?>(nil)
    self.last = last
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "parley.probe"))
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(100))
    timer.setEventHandler { store.checkWritable { error in last.withLock { $0 = error } } }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// What is not ready about the store, from any thread; the sentence is for the log, since anybody may ask.
  var failedChecks: @Sendable () -> [FailedCheck] {
    { [last] in last.withLock { $0 }.map { [FailedCheck(name: "store", reason: $0.kind.rawValue)] } ?? [] }
  }
}
