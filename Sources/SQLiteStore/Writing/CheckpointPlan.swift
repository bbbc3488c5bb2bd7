/// Decides when and how the write-ahead log is copied into the database file.
struct CheckpointPlan {
  /// How it is copied (https://www.sqlite.org/c3ref/wal_checkpoint_v2.html).
  enum Mode: Equatable {
    /// As far as readers allow, without waiting. Mostly it reaches the end, and the next commit begins the log anew.
    case passive
    /// Waits a moment for readers, so that the log begins anew although reads overlap each other all the time.
    case restart
    /// Waits for readers and empties the file.
    case truncate
  }

  private let pages: Int32
  private var restartPages: Int32

  /// Copies a log of so many pages.
  init(pages: Int32) {
    self.pages = max(1, min(pages, Self.maxPages))
    restartPages = self.pages * Self.restartFactor
  }

  private static let maxPages: Int32 = 1 << 20
  private static let restartFactor: Int32 = 4

  /// What to do about a log of a length; nil for nothing.
  func mode(pagesInLog: Int32) -> Mode? {
    if pagesInLog < pages { return nil }
    return pagesInLog < restartPages ? .passive : .restart
  }

  /// Takes what came of it: where somebody reads for long, a backup perhaps, waiting again at once would only hold up commits.
  mutating func end(_ mode: Mode, isDone: Bool) {
    guard mode == .restart else { return }
    restartPages = isDone ? pages * Self.restartFactor : restartPages.multipliedReportingOverflow(by: 2).overflow ? .max : restartPages * 2
  }
}
