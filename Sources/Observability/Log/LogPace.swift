/// Decides how many lines of a kind are written, so that whoever makes events cannot fill a disk with them.
///
/// Each kind, which is the name of the event, has a second of its own that begins with its first line. What is too much in it is counted,
/// and told once when the second is over.
package struct LogPace: Sendable, Equatable {
  /// What is done with a line.
  package enum Verdict: Equatable, Sendable {
    /// Write it.
    case write
    /// Drop it, and come back with `settle` after that many milliseconds: it is the first one of its kind that was too much.
    case dropAndSettle(afterMs: Int64)
    /// Drop it.
    case drop
  }

  /// Kinds that are told apart; all that come later share one.
  ///
  /// Names are words of ours, a few dozen: the bound is there in case one is not.
  static let maxKinds = 128

  private struct Window: Equatable {
    var began: Int64
    var written = 0
    var dropped = 0
  }

  private let linesPerSecond: Int
  private var windows: [String: Window] = [:]

  /// Nothing was written yet.
  ///
  /// - Parameter linesPerSecond: Lines of one kind that are written in a second; nil or less than one for all of them.
  package init(linesPerSecond: Int?) { self.linesPerSecond = linesPerSecond.flatMap { $0 > 0 ? $0 : nil } ?? .max }

  /// A line of a kind is to be written at a time, in milliseconds.
  package mutating func arrived(_ name: String, at now: Int64) -> Verdict {
    let kind = kind(of: name)
    var window = windows[kind] ?? Window(began: now)
    // A clock that was set back begins a new second too. What was dropped stays until `settle` tells it.
    if now < window.began || now &- window.began >= 1_000 {
      window.began = now
      window.written = 0
    }
    defer { windows[kind] = window }
    guard window.written >= linesPerSecond else {
      window.written += 1
      return .write
    }
    window.dropped += 1
    return window.dropped == 1 ? .dropAndSettle(afterMs: max(1, 1_000 - (now &- window.began))) : .drop
  }

  /// Returns how many lines of a kind were dropped since it was asked last.
  package mutating func settle(_ name: String) -> Int {
    let kind = kind(of: name)
    defer { windows[kind]?.dropped = 0 }
    return windows[kind]?.dropped ?? 0
  }

  private func kind(of name: String) -> String {
    windows[name] != nil || windows.count < Self.maxKinds ? name : ""
  }
}
