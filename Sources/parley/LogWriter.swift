import Dispatch
import Locks
import Observability

/// Writes log lines to standard error on a queue of its own, so that no loop waits for a terminal, and no faster than `LogPace` lets it.
final class LogWriter: Sendable {
  private struct State {
    var pace: LogPace
    /// Lines that wait to be written.
    var waiting = 0
    /// Lines that were given up since nobody reads.
    var unread = 0
    var counts = LogCounts()
  }

  private static let maxWaiting = 4_096

  private let isText: Bool
  private let queue = DispatchQueue(label: "parley.log")
  private let state: Lock<State>

  /// - Parameters:
  ///   - isText: Whether lines are for people, or for collectors.
  ///   - linesPerSecond: How many of one kind are written in a second; 0 for all of them.
  init(isText: Bool, linesPerSecond: Int) {
    self.isText = isText
    state = Lock(State(pace: LogPace(linesPerSecond: linesPerSecond)))
  }

  /// What was written and dropped until now.
  var counts: LogCounts { state.withLock { $0.counts } }

  /// Takes a line, from any thread.
  func take(_ event: LogEvent) {
    switch state.withLock({ Self.verdict(on: event, &$0) }) {
    case .write: queue.async { self.write(event) }
    case .drop: break
    case .dropAndSettle(let delay): queue.asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { self.settle(event) }
    }
  }

  private static func verdict(on event: LogEvent, _ state: inout State) -> LogPace.Verdict {
    var verdict = state.pace.arrived(event.name, at: event.time)
    if verdict == .write, state.waiting >= maxWaiting {
      state.unread += 1
      verdict = .drop
    }
    switch verdict {
    case .write:
      state.waiting += 1
      state.counts.write(event.level)
    case .drop, .dropAndSettle: state.counts.dropped += 1
    }
    return verdict
  }

  private func write(_ event: LogEvent) {
    show(event)
    let unread = state.withLock { state in
      state.waiting -= 1
      defer { state.unread = 0 }
      return state.unread
    }
    if unread > 0 { tell(unread, of: nil, like: event, "nobody read the log in time") }
  }

  /// A second of too many lines is over.
  private func settle(_ event: LogEvent) {
    let count = state.withLock { $0.pace.settle(event.name) }
    if count > 0 { tell(count, of: event.name, like: event, "there were too many of them in a second") }
  }

  private func tell(_ count: Int, of kind: String?, like event: LogEvent, _ reason: String) {
    let fields = [LogField("count", .integer(Int64(count)))] + (kind.map { [LogField("of", .text($0))] } ?? [])
    show(LogEvent(time: event.time, level: .warn, name: "log lines dropped", message: reason, fields: fields))
    state.withLock { $0.counts.write(.warn) }
  }

  private func show(_ event: LogEvent) { StandardStreams.error(isText ? LogLine.text(event) : LogLine.json(event)) }

  /// Returns when every line is written, or after two seconds: a reader who does not read must not keep the program alive.
  func finish() {
    let written = DispatchGroup()
    queue.async(group: written) {}
    _ = written.wait(timeout: .now() + .seconds(2))
  }
}
