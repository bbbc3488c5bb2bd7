import ChatEngine
import ChatModel

/// Removes files that no message ever had, and those of deleted conversations, a little at a time.
struct FileUpkeep {
  private let database: Database
  private let unused: Statement
  private let used: Statement
  private let disuse: Statement
  private let keptMilliseconds: Int64
  private var files: FileChanges

  /// Prepares everything; a file waits for its first message for `keptMilliseconds`.
  init(_ database: Database, keptMilliseconds: Int64) throws(StoreError) {
    self.database = database
    self.keptMilliseconds = keptMilliseconds
    unused = try database.prepare("SELECT id FROM files WHERE is_used = 0 AND created_at < ?1 ORDER BY created_at LIMIT ?2")
    used = try database.prepare(
      "SELECT DISTINCT files.id FROM file_uses JOIN files ON files.key = file_uses.file WHERE conversation = ?1 LIMIT ?2")
    disuse = try database.prepare(
      "DELETE FROM file_uses WHERE conversation = ?1 AND file = (SELECT key FROM files WHERE id = ?2)")
    files = try FileChanges(database)
  }

  /// Removes some files that were never sent; false where there are no more.
  mutating func removeUnused(now: Timestamp, limit: Int64) throws(StoreError) -> Bool {
    let ids = try ids(unused) { statement in
      statement.bind(now.subtractingReportingOverflow(keptMilliseconds).partialValue)
      statement.bind(limit)
    }
    for id in ids { try files.dropIfUnused(id) }
    return !ids.isEmpty
  }

  /// Removes some files of a conversation that is deleted; false where there are no more.
  mutating func removeFiles(of conversation: Int64, limit: Int64) throws(StoreError) -> Bool {
    let ids = try ids(used) { statement in
      statement.bind(conversation)
      statement.bind(limit)
    }
    for id in ids {
      try disuse.run { statement in
        statement.bind(conversation)
        statement.bind(id.text)
      }
      try files.dropIfUnused(id)
    }
    return !ids.isEmpty
  }

  /// Hands over what was released, when the transaction is kept.
  mutating func takeReleased() -> [FileHash] { files.takeReleased() }

  /// Forgets what was released, because the transaction was undone.
  mutating func forget() { files.forget() }

  private func ids(_ statement: Statement, _ bind: (Statement) -> Void) throws(StoreError) -> [FileID] {
    try statement.use { (statement) throws(StoreError) in
      bind(statement)
      var ids: [FileID] = []
      while try statement.step() { ids.append(FileID(stored: statement.text())) }
      return ids
    }
  }
}
