import ChatEngine
import ChatModel

/// Removes what is no longer needed, a little at a time, so that sends never wait for it: messages of deleted conversations with
/// their reactions and files, send keys that are too old to matter, and files that no message has.
struct Upkeep {
  private let database: Database
  private let keptMilliseconds: Int64
  private let orphan: Statement
  private let deleteReactions: Statement
  private let deleteMessages: Statement
  private let deleteOrphan: Statement
  private let sweptKey: Statement
  private let sweepEnd: Statement
  private let clearKeys: Statement
  private let setSweptKey: Statement
  private var files: FileUpkeep
  private var nextSweep: Timestamp = .min

  /// Prepares everything; send keys are kept for `keptMilliseconds`.
  init(_ database: Database, keptMilliseconds: Int64, unusedFileMilliseconds: Int64) throws(StoreError) {
    files = try FileUpkeep(database, keptMilliseconds: unusedFileMilliseconds)
    self.database = database
    self.keptMilliseconds = keptMilliseconds
    orphan = try database.prepare("SELECT conversation FROM orphans LIMIT 1")
    deleteReactions = try database.prepare(
      """
      DELETE FROM reactions WHERE (conversation, number, user, emoji) IN
        (SELECT conversation, number, user, emoji FROM reactions WHERE conversation = ?1 LIMIT ?2)
      """)
    deleteMessages = try database.prepare(
      "DELETE FROM messages WHERE key IN (SELECT key FROM messages WHERE conversation = ?1 LIMIT ?2)")
    deleteOrphan = try database.prepare("DELETE FROM orphans WHERE conversation = ?1")
    sweptKey = try database.prepare("SELECT min(swept_key, (SELECT ifnull(max(key), 0) FROM messages)) FROM meta")
    // Rows lie in the order of their arrival: the sweep ends before the first one that is still young.
    sweepEnd = try database.prepare(
      """
      SELECT max(key) FROM (SELECT key, sum(created_at >= ?3) OVER (ORDER BY key) AS young
        FROM (SELECT key, created_at FROM messages WHERE key > ?1 ORDER BY key LIMIT ?2)) WHERE young = 0
      """)
    clearKeys = try database.prepare(
      """
      UPDATE messages SET key_sender = NULL, client_message_id = NULL, request_hash = NULL
      WHERE key > ?1 AND key <= ?2 AND client_message_id IS NOT NULL
      """)
    setSweptKey = try database.prepare("UPDATE meta SET swept_key = ?1")
  }

  /// Rows that one step may change: a few milliseconds.
  static let rowsPerStep: Int64 = 500
  private static let sweepIntervalMs: Int64 = 3_600_000

  /// Does one step in the open transaction; false when there is nothing left to do.
  mutating func step(now: Timestamp) throws(StoreError) -> Bool {
    if try removeOrphanedMessages() { return true }
    guard now >= nextSweep else { return false }
    if try files.removeUnused(now: now, limit: Self.rowsPerStep) { return true }
    if try clearOldKeys(before: now.subtractingReportingOverflow(keptMilliseconds).partialValue) { return true }
    nextSweep = now.addingReportingOverflow(Self.sweepIntervalMs).partialValue
    return false
  }

  /// Whether the time for a sweep has come.
  func isDue(now: Timestamp) -> Bool { now >= nextSweep }

  /// Hands over the contents of files that are gone, when the transaction is kept.
  mutating func takeReleasedFiles() -> [FileHash] { files.takeReleased() }

  /// Forgets them, because the transaction was undone.
  mutating func forget() { files.forget() }

  private mutating func removeOrphanedMessages() throws(StoreError) -> Bool {
    let found = try orphan.use { (statement) throws(StoreError) in try statement.step() ? statement.integer() : nil }
    guard let conversation = found else { return false }
    // Files and reactions first: they are nobody's where there are no messages.
    if try files.removeFiles(of: conversation, limit: Self.rowsPerStep) { return true }
    for statement in [deleteReactions, deleteMessages] {
      try statement.run { statement in
        statement.bind(conversation)
        statement.bind(Self.rowsPerStep)
      }
      if database.changedRows >= Self.rowsPerStep { return true }
    }
    try deleteOrphan.run { $0.bind(conversation) }
    return true
  }

  private func clearOldKeys(before limit: Timestamp) throws(StoreError) -> Bool {
    let start = try sweptKey.use { (statement) throws(StoreError) in try statement.step() ? statement.integer() : 0 }
    let end = try sweepEnd.use { (statement) throws(StoreError) in
      statement.bind(start)
      statement.bind(Self.rowsPerStep)
      statement.bind(limit)
      return try statement.step() ? statement.optionalInteger() : nil
    }
    guard let end else { return false }
    try clearKeys.run { statement in
      statement.bind(start)
      statement.bind(end)
    }
    try setSweptKey.run { $0.bind(end) }
    return true
  }
}
