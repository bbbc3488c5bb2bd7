import Configuration
import Dispatch
import Observability
import SQLiteStore

/// Where log lines go: standard error, written on a queue of its own so that no loop waits for a terminal.
final class LogOutput: Sendable {
  let logger: Logger
  private let threshold: LogThreshold
  private let queue = DispatchQueue(label: "parley.log")

  init(_ settings: LogSettings) {
    threshold = LogThreshold(Self.level(settings.level))
    let isText =
      switch settings.format {
      case .auto: StandardStreams.isErrorATerminal
      case .text: true
      case .json: false
      }
    let queue = queue
    logger = Logger(threshold: threshold, now: SQLiteStore.systemTime) { event in
      queue.async { StandardStreams.error(isText ? LogLine.text(event) : LogLine.json(event)) }
    }
  }

  /// Takes the level of new settings.
  func reload(_ settings: LogSettings) { threshold.set(Self.level(settings.level)) }

  /// Returns when every line is written.
  func finish() { queue.sync {} }

  private static func level(_ level: LogSettings.Level) -> LogLevel {
    switch level {
    case .error: .error
    case .warn: .warn
    case .info: .info
    case .debug: .debug
    }
  }
}
