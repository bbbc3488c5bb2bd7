import ChatEngine
import ChatModel
import Glibc
import Locks
import Observability

/// Owns the writing connection: takes everything that waits into one transaction, and answers after it is on the disk.
actor Writer {
  private nonisolated let executor = QueueExecutor(label: "parley.store.writer")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// The open connection and all that is prepared on it.
  private final class Connection {
    let database: Database
    var changes: ChangeWriter
    var upkeep: Upkeep
    let takeRoom: Statement
    let giveRoomBack: Statement

    init(_ database: Database, settings: SQLiteStoreSettings) throws(StoreError) {
      self.database = database
      changes = try ChangeWriter(database)
      upkeep = try Upkeep(
        database, keptMilliseconds: settings.keptMilliseconds, unusedFileMilliseconds: settings.unusedFileMilliseconds)
      takeRoom = try database.prepare("UPDATE meta SET probe = zeroblob(65536)")
      giveRoomBack = try database.prepare("UPDATE meta SET probe = NULL")
    }
  }

  private var connection: Connection?
  private var checkpoints: CheckpointPlan
  private var isUpkeepQueued = false
  private let now: @Sendable () -> Timestamp
  private var lastFailure: StoreError?
  private nonisolated let waiting = Lock(CommitQueue())
  private nonisolated let counted = Lock(StoreStatistics())
  private nonisolated let fileListener = Lock<(@Sendable ([FileHash]) -> Void)?>(nil)

  /// Takes over a connection whose schema is up to date.
  init(
    _ database: sending Database, settings: SQLiteStoreSettings, now: @escaping @Sendable () -> Timestamp
  ) throws(StoreError) {
    connection = try Connection(database, settings: settings)
    checkpoints = CheckpointPlan(pages: settings.pagesPerCheckpoint)
    self.now = now
  }

  // MARK: For any thread

  /// What was done until now.
  nonisolated var statistics: StoreStatistics { counted.withLock { $0 } }

  /// Takes a set; `done` is called on the writer's queue.
  nonisolated func commit(_ changes: ChangeSet, done: @escaping @Sendable (StoreError?) -> Void) {
    switch waiting.withLock({ $0.append(CommitQueue.Entry(changes: changes, done: done)) }) {
    case .wake: perform { $0.commitNext() }
    case .queued: break
    case .closed: executor.perform { done(.closed) }
    }
  }

  /// Calls somebody with the contents of files that are gone, on the writer's queue.
  nonisolated func whenFilesReleased(_ listener: @escaping @Sendable ([FileHash]) -> Void) { fileListener.withLock { $0 = listener } }

  /// Tells whether a commit would succeed now.
  nonisolated func probe(done: @escaping @Sendable (StoreError?) -> Void) {
    perform { done($0.probe()) }
  }

  /// Removes old rows until nothing is left to remove, in small steps between commits.
  nonisolated func startUpkeep() { perform { $0.queueUpkeep() } }

  /// Commits what waits and closes the connection.
  nonisolated func close(done: @escaping @Sendable () -> Void) {
    _ = waiting.withLock { $0.close() }
    perform { writer in
      writer.finish()
      done()
    }
  }

  private nonisolated func perform(_ body: @escaping @Sendable (isolated Writer) -> Void) {
    executor.perform { self.assumeIsolated { body($0) } }
  }

  // MARK: Groups

  private func commitNext() {
    let (group, isLast) = waiting.withLock { $0.next() }
    if !group.isEmpty { commitGroup(group) }
    // Back to the queue between two groups, so that a probe does not wait for all of them.
    if !isLast { perform { $0.commitNext() } }
  }

  private func commitGroup(_ group: [CommitQueue.Entry]) {
    let started = Self.microseconds()
    let outcomes = write(group)
    count(group, outcomes, microseconds: Self.microseconds() - started)
    for (entry, outcome) in zip(group, outcomes) { entry.done(outcome) }
    checkpointIfLong()
    let deletes = group.contains { $0.changes.changes.contains { if case .deleteConversation = $0 { true } else { false } } }
    if deletes || connection?.upkeep.isDue(now: now()) == true { queueUpkeep() }
  }

  /// Writes a group; one error, or nil, for each of its sets.
  private func write(_ group: [CommitQueue.Entry]) -> [StoreError?] {
    do {
      try transact { (changes, _) throws(StoreError) in
        for entry in group { try changes.apply(entry.changes) }
      }
      return Array(repeating: nil, count: group.count)
    } catch {
      // With a savepoint SQLite keeps a copy of each page that a set touches: they are made only when a set is known to fail.
      return error.kind == .constraint && group.count > 1 ? writeOneByOne(group) : Array(repeating: error, count: group.count)
    }
  }

  /// Writes a group in which a set breaks a rule: such a set is undone alone.
  private func writeOneByOne(_ group: [CommitQueue.Entry]) -> [StoreError?] {
    var outcomes: [StoreError?] = []
    do {
      try transact { (changes, database) throws(StoreError) in
        for entry in group { outcomes.append(try Self.write(entry.changes, changes: &changes, database)) }
      }
      return outcomes
    } catch {
      return Array(repeating: error, count: group.count)
    }
  }

  private static func write(
    _ set: ChangeSet, changes: inout ChangeWriter, _ database: Database
  ) throws(StoreError) -> StoreError? {
    try database.execute("SAVEPOINT one")
    do throws(StoreError) {
      try changes.apply(set)
      try database.execute("RELEASE one")
      return nil
    } catch {
      guard error.kind == .constraint else { throw error }
      changes.forget()
      try database.execute("ROLLBACK TO one; RELEASE one")
      return error
    }
  }

  /// Runs the body in a transaction, which is undone whole when anything fails.
  private func transact(_ body: (inout ChangeWriter, Database) throws(StoreError) -> Void) throws(StoreError) {
    guard let connection else { throw .closed }
    do throws(StoreError) {
      try connection.database.begin()
      try body(&connection.changes, connection.database)
      try connection.database.commit()
      lastFailure = nil
      tell(connection.changes.takeReleasedFiles())
    } catch {
      connection.database.rollBack()
      connection.changes.forget()
      if error.kind != .constraint { lastFailure = error }
      throw error
    }
  }

  private func count(_ group: [CommitQueue.Entry], _ outcomes: [StoreError?], microseconds: Int64) {
    let failed = outcomes.count { $0 != nil }
    let changes = zip(group, outcomes).reduce(0) { $1.1 == nil ? $0 + $1.0.changes.changes.count : $0 }
    counted.withLock { counted in
      counted.groups += 1
      counted.failedGroups += outcomes.contains { $0.map { $0.kind != .constraint } ?? false } ? 1 : 0
      counted.committedSets += group.count - failed
      counted.failedSets += failed
      counted.changes += changes
      counted.commitMicroseconds.observe(UInt64(clamping: microseconds))
      counted.setsPerGroup.observe(UInt64(clamping: group.count))
      counted.lastCommitMicroseconds = microseconds
    }
  }

  private static func microseconds() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
  }

  // MARK: Between groups

  /// After the answers, so that nobody waits for it.
  private func checkpointIfLong() {
    guard let database = connection?.database, let mode = checkpoints.mode(pagesInLog: database.pagesInLog) else { return }
    checkpoint(database, mode)
  }

  private func checkpoint(_ database: Database, _ mode: CheckpointPlan.Mode) {
    let isDone = (try? database.checkpoint(mode)) != nil
    checkpoints.end(mode, isDone: isDone)
    counted.withLock { counted in
      // What failed stays in the log and is tried again.
      if isDone { counted.checkpoints += 1 } else { counted.failedUpkeep += 1 }
    }
  }

  private func queueUpkeep() {
    guard !isUpkeepQueued else { return }
    isUpkeepQueued = true
    perform { $0.stepUpkeep() }
  }

  private func stepUpkeep() {
    isUpkeepQueued = false
    guard let connection else { return }
    do throws(StoreError) {
      try connection.database.begin()
      let hasMore = try connection.upkeep.step(now: now())
      try connection.database.commit()
      tell(connection.upkeep.takeReleasedFiles())
      if hasMore { queueUpkeep() }
    } catch {
      connection.database.rollBack()
      connection.upkeep.forget()
      counted.withLock { $0.failedUpkeep += 1 }
    }
  }

  private func tell(_ released: [FileHash]) {
    if !released.isEmpty { fileListener.withLock { $0 }?(released) }
  }

  private func probe() -> StoreError? {
    guard let connection else { return .closed }
    // While commits succeed nothing needs to be written; after a failure only a write tells whether it is over, and not one so
    // small that it fits where the next message does not.
    guard lastFailure != nil else { return nil }
    do throws(StoreError) {
      try transact { (_, _) throws(StoreError) in try connection.takeRoom.run() }
      try transact { (_, _) throws(StoreError) in try connection.giveRoomBack.run() }
      return nil
    } catch {
      return error
    }
  }

  private func finish() {
    var isLast = false
    while !isLast {
      let next = waiting.withLock { $0.next() }
      if !next.group.isEmpty { commitGroup(next.group) }
      isLast = next.isLast
    }
    if let database = connection?.database { checkpoint(database, .truncate) }
    connection = nil
  }
}
