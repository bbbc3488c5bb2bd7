import Synchronization

/// The least important level that is still logged, shared by all loggers so that a reload changes it everywhere at once.
package final class LogThreshold: Sendable {
  private let rawValue: Atomic<UInt8>

  /// A threshold that lets `level` and everything more important through.
  package init(_ level: LogLevel) {
    rawValue = Atomic(level.rawValue)
  }

  /// Changes the level for every event from now on.
  package func set(_ level: LogLevel) {
    // Relaxed: a line more or less around the change does no harm.
    rawValue.store(level.rawValue, ordering: .relaxed)
  }

  /// Whether events of a level are logged.
  package func admits(_ level: LogLevel) -> Bool {
    level.rawValue <= rawValue.load(ordering: .relaxed)
  }
}

/// Hands events that are important enough to a sink.
package struct Logger: Sendable {
  private let threshold: LogThreshold
  private let now: @Sendable () -> Int64
  private let sink: @Sendable (LogEvent) -> Void

  /// A logger.
  ///
  /// - Parameters:
  ///   - threshold: What is important enough.
  ///   - now: The time in Unix milliseconds.
  ///   - sink: Called on the caller's thread, also from several at once; must not block.
  package init(threshold: LogThreshold, now: @escaping @Sendable () -> Int64, sink: @escaping @Sendable (LogEvent) -> Void) {
    self.threshold = threshold
    self.now = now
    self.sink = sink
  }

  /// Logs an event; message and fields are not even made where the level is not logged.
  package func log(
    _ level: LogLevel, _ name: String, _ message: @autoclosure () -> String = "", _ fields: @autoclosure () -> [LogField] = []
  ) {
    guard threshold.admits(level) else { return }
    sink(LogEvent(time: now(), level: level, name: name, message: message(), fields: fields()))
  }
}
