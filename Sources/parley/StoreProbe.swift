import ChatEngine
import Dispatch
import Gateway
import Locks
import Observability
import SQLiteStore

/// Asks the store once a second whether it could keep something, so that readiness is known without waiting.
final class StoreProbe {
  private let last: Lock<StoreError?>
  private let timer: any DispatchSourceTimer

  init(_ store: SQLiteStore, log: Logger) {
    let last = Lock<StoreError?>(nil)
    self.last = last
    timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "parley.probe"))
    timer.schedule(deadline: .now() + .seconds(1), repeating: .seconds(1), leeway: .milliseconds(100))
    timer.setEventHandler {
      store.checkWritable { error in
        let before = last.withLock { last in
          defer { last = error }
          return last
        }
        Self.tell(from: before, to: error, log)
      }
    }
    timer.resume()
  }

  deinit { timer.cancel() }

  /// One line when the store goes away, and one when it is back.
  private static func tell(from before: StoreError?, to now: StoreError?, _ log: Logger) {
    switch (before, now) {
    case (nil, let error?): log.log(.error, "store away", error.sentence, [LogField("reason", .text(error.kind.rawValue))])
    case (_?, nil): log.log(.warn, "store back", "it takes messages again")
    case (nil, nil), (_?, _?): break
    }
  }

  /// What is not ready about the store, from any thread; the sentence is for the log, since anybody may ask.
  var failedChecks: @Sendable () -> [FailedCheck] {
    { [last] in last.withLock { $0 }.map { [FailedCheck(name: "store", reason: $0.kind.rawValue)] } ?? [] }
  }
}
