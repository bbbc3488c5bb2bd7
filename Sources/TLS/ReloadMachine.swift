/// Decides when certificate files are read again, from what they look like every few seconds.
///
/// A writer that replaces two files does it one after the other: a change is acted on when two looks in a row show the same. What could not
/// be used is not read again before it changes, so a bad file is told once.
struct ReloadMachine: Equatable {
  private enum State: Equatable {
    /// The files are as they were when they were read. Next: `changing`.
    case settled(FileMarks)
    /// The last look showed something else. Next: `changing`, `settled`.
    case changing(FileMarks)
  }

  /// What is done after a look.
  enum Action: Equatable {
    case read
    case nothing
  }

  private var state: State

  /// The files were just read.
  init(read marks: FileMarks) { state = .settled(marks) }

  /// The files look so.
  mutating func looked(_ marks: FileMarks) -> Action {
    switch state {
    case .settled(marks): return .nothing
    case .changing(marks):
      state = .settled(marks)
      return .read
    case .settled, .changing:
      state = .changing(marks)
      return .nothing
    }
  }

  /// The files were read, unasked or as asked; they looked so before and after.
  mutating func read(before: FileMarks, after: FileMarks) {
    state = before == after ? .settled(after) : .changing(after)
  }
}
