import ChatEngine

/// The sets that wait for the writer, in the order in which they came.
struct CommitQueue: Sendable {
  /// One call of `commit`.
  struct Entry: Sendable {
    let changes: ChangeSet
    let done: @Sendable (StoreError?) -> Void
  }

  /// What the caller of `append` has to do.
  enum Outcome: Equatable {
    /// The writer sleeps: wake it.
    case wake
    /// The writer comes by itself.
    case queued
    /// The store was closed: answer at once.
    case closed
  }

  private var entries: [Entry] = []
  private var isWriterAwake = false
  private var isClosed = false

  /// The most sets in one transaction: bounds how long the first of them waits for the others.
  static let maxGroup = 512

  /// Takes a set.
  mutating func append(_ entry: Entry) -> Outcome {
    guard !isClosed else { return .closed }
    entries.append(entry)
    guard !isWriterAwake else { return .queued }
    isWriterAwake = true
    return .wake
  }

  /// Hands out the next group, and says whether it is the last: then the writer may sleep.
  mutating func next() -> (group: [Entry], isLast: Bool) {
    guard entries.count > Self.maxGroup else {
      defer { entries = [] }
      isWriterAwake = false
      return (entries, true)
    }
    defer { entries.removeFirst(Self.maxGroup) }
    return (Array(entries.prefix(Self.maxGroup)), false)
  }

  /// Takes nothing more; false when it was closed before.
  mutating func close() -> Bool {
    defer { isClosed = true }
    return !isClosed
  }
}
