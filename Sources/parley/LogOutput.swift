import Configuration
import Observability
import SQLiteStore

/// The log as it is configured.
final class LogOutput: Sendable {
  let logger: Logger
  private let threshold: LogThreshold
  private let writer: LogWriter

  init(_ settings: LogSettings) {
    let isText =
      switch settings.format {
      case .auto: StandardStreams.isErrorATerminal
      case .text: true
      case .json: false
      }
    let writer = LogWriter(isText: isText, linesPerSecond: settings.linesPerSecond)
    self.writer = writer
    threshold = LogThreshold(Self.level(settings.level))
    logger = Logger(threshold: threshold, now: SQLiteStore.systemTime) { writer.take($0) }
  }

  /// Takes the level of new settings.
  func reload(_ settings: LogSettings) { threshold.set(Self.level(settings.level)) }

  /// How many lines were written and dropped, from any thread.
  var counts: @Sendable () -> LogCounts { { [writer] in writer.counts } }

  /// Returns when every line is written, or after two seconds.
  func finish() { writer.finish() }

  private static func level(_ level: LogSettings.Level) -> LogLevel {
    switch level {
    case .error: .error
    case .warn: .warn
    case .info: .info
    case .debug: .debug
    }
  }
}
