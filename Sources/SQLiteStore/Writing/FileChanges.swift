import ChatEngine
import ChatModel

/// Writes rows of files and of the messages that have them.
struct FileChanges {
  private let insert: Statement
  private let uses: Statement
  private let use: Statement
  private let markUsed: Statement
  private let disuse: Statement
  private let drop: Statement
  /// The contents of files that are gone.
  private(set) var released: [FileHash] = []

  init(_ database: Database) throws(StoreError) {
    insert = try database.prepare(
      "INSERT OR REPLACE INTO files (\(FileRow.columns), is_used) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, 0)")
    uses = try database.prepare(
      "SELECT files.id FROM file_uses JOIN files ON files.key = file_uses.file WHERE conversation = ?1 AND number = ?2")
    use = try database.prepare("INSERT OR IGNORE INTO file_uses (conversation, number, file) SELECT ?1, ?2, key FROM files WHERE id = ?3")
    markUsed = try database.prepare("UPDATE files SET is_used = 1 WHERE id = ?1 AND is_used = 0")
    disuse = try database.prepare(
      "DELETE FROM file_uses WHERE conversation = ?1 AND number = ?2 AND file = (SELECT key FROM files WHERE id = ?3)")
    drop = try database.prepare(
      "DELETE FROM files WHERE id = ?1 AND NOT EXISTS (SELECT 1 FROM file_uses WHERE file = files.key) RETURNING hash")
  }

  /// Adds a file that no message has yet.
  func put(_ record: FileRecord) throws(StoreError) {
    try insert.run { FileRow.bind(record, to: $0) }
  }

  /// A message is new and has these files.
  ///
  /// One that was removed meanwhile is left out: the message then shows a file that is gone, as others may.
  func add(_ files: [FileID], to conversation: Int64, _ number: MessageNumber) throws(StoreError) {
    for file in files {
      try use.run { statement in
        statement.bind(conversation)
        statement.bind(number)
        statement.bind(file.text)
      }
      try markUsed.run { $0.bind(file.text) }
    }
  }

  /// A message changed and has these files now; those that nothing has any more are removed.
  mutating func replace(_ files: [FileID], of conversation: Int64, _ number: MessageNumber) throws(StoreError) {
    let before = try uses.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      var ids: [FileID] = []
      while try statement.step() { ids.append(FileID(stored: statement.text())) }
      return ids
    }
    guard !before.isEmpty || !files.isEmpty else { return }
    try add(files, to: conversation, number)
    for file in before where !files.contains(file) {
      try disuse.run { statement in
        statement.bind(conversation)
        statement.bind(number)
        statement.bind(file.text)
      }
      try dropIfUnused(file)
    }
  }

  /// Removes a file that no message has.
  mutating func dropIfUnused(_ file: FileID) throws(StoreError) {
    let hash = try drop.use { (statement) throws(StoreError) in
      statement.bind(file.text)
      return try statement.step() ? FileHash(statement.text()) : nil
    }
    if let hash { released.append(hash) }
  }

  /// Hands over what was released, when the transaction is kept.
  mutating func takeReleased() -> [FileHash] {
    defer { released = [] }
    return released
  }

  /// Forgets what was released, because the transaction was undone.
  mutating func forget() { released = [] }
}
