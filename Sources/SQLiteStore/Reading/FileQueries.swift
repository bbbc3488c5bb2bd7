import ChatEngine
import ChatModel

/// Reads what is told of files.
struct FileQueries {
  private let file: Statement
  private let bytes: Statement
  private let isStored: Statement

  init(_ database: Database) throws(StoreError) {
    // In a thread may read who takes part in the conversation of its root.
    file = try database.prepare(
      """
      SELECT \(FileRow.columns) FROM files WHERE id = ?1 AND (?2 IS NULL OR uploader = ?2 OR EXISTS (
        SELECT 1 FROM file_uses JOIN conversations c ON c.key = file_uses.conversation
          JOIN participants p ON p.conversation = ifnull(c.root, c.key) AND p.user = ?2
        WHERE file_uses.file = files.key))
      """)
    bytes = try database.prepare("SELECT ifnull(sum(size), 0) FROM files WHERE uploader = ?1")
    isStored = try database.prepare("SELECT EXISTS (SELECT 1 FROM files WHERE hash = ?1)")
  }

  /// A file that a user uploaded, or that a message has in a conversation in which they take part; without a user any file.
  func file(_ id: FileID, for user: UserID?) throws(StoreError) -> FileRecord? {
    try file.use { (statement) throws(StoreError) in
      statement.bind(id.text)
      statement.bind(user?.text)
      return try statement.step() ? FileRow.read(statement) : nil
    }
  }

  /// The bytes of a user's files.
  func bytes(of user: UserID) throws(StoreError) -> Int64 {
    try bytes.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      return try statement.step() ? statement.integer() : 0
    }
  }

  /// Whether there is a file of a content.
  func isStored(_ hash: FileHash) throws(StoreError) -> Bool {
    try isStored.use { (statement) throws(StoreError) in
      statement.bind(hash.text)
      return try statement.step() && statement.flag()
    }
  }
}
