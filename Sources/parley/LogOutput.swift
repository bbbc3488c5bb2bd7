import Configuration
import Dispatch
import Locks
import Observability
import SQLiteStore

/// Where log lines go: standard error, written on a queue of its own so that no loop waits for a terminal.
final class LogOutput: Sendable {
  let logger: Logger
  private let threshold: LogThreshold
  private let queue = DispatchQueue(label: "parley.log")

  /// Lines that wait for a reader of standard error who does not read, and lines that were given up because of that.
  private struct Backlog {
    var waiting = 0
    var dropped = 0
  }

  private static let maxWaiting = 4_096

  init(_ settings: LogSettings) {
    threshold = LogThreshold(Self.level(settings.level))
    let isText =
      switch settings.format {
      case .auto: StandardStreams.isErrorATerminal
      case .text: true
      case .json: false
      }
    let queue = queue
    let backlog = Lock(Backlog())
    logger = Logger(threshold: threshold, now: SQLiteStore.systemTime) { event in
      let isTaken = backlog.withLock { backlog in
        guard backlog.waiting < Self.maxWaiting else {
          backlog.dropped += 1
          return false
        }
        backlog.waiting += 1
        return true
      }
      guard isTaken else { return }
      queue.async {
        StandardStreams.error(isText ? LogLine.text(event) : LogLine.json(event))
        let dropped = backlog.withLock { backlog in
          backlog.waiting -= 1
          defer { backlog.dropped = 0 }
          return backlog.dropped
        }
        if dropped > 0 { StandardStreams.error("\(dropped) log lines were dropped: nobody read them in time") }
      }
    }
  }

  /// Takes the level of new settings.
  func reload(_ settings: LogSettings) { threshold.set(Self.level(settings.level)) }

  /// Returns when every line is written, or after two seconds: a reader who does not read must not keep the program alive.
  func finish() {
    let written = DispatchGroup()
    queue.async(group: written) {}
    _ = written.wait(timeout: .now() + .seconds(2))
  }

  private static func level(_ level: LogSettings.Level) -> LogLevel {
    switch level {
    case .error: .error
    case .warn: .warn
    case .info: .info
    case .debug: .debug
    }
  }
}
