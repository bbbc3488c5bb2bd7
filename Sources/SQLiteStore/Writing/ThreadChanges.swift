import ChatEngine
import ChatModel

/// What the writer does about threads: they go with their root's conversation and with the root, and so do the places in them.
struct ThreadChanges {
  private let living: Statement
  private let under: Statement
  private let deletions: [Statement]

  init(_ database: Database) throws(StoreError) {
    living = try database.prepare("SELECT 1 FROM messages WHERE conversation = ?1 AND number = ?2 AND is_deleted = 0")
    under = try database.prepare("SELECT id FROM conversations WHERE root = ?1 AND root_number = ?2")
    let keys = "SELECT key FROM conversations WHERE root = ?1"
    deletions = [
      try database.prepare("DELETE FROM participants WHERE root = ?1"),
      try database.prepare("DELETE FROM removed_participants WHERE conversation IN (\(keys))"),
      try database.prepare("DELETE FROM reports WHERE conversation IN (\(keys))"),
      try database.prepare("INSERT INTO orphans (conversation) \(keys)"),
      try database.prepare("DELETE FROM conversations WHERE root = ?1"),
    ]
  }

  /// Whether a message is there and not deleted.
  func isLiving(_ number: MessageNumber, in conversation: Int64) throws(StoreError) -> Bool {
    try living.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      return try statement.step()
    }
  }

  /// The thread under a message; nil where there is none.
  func thread(under number: MessageNumber, of conversation: Int64) throws(StoreError) -> ConversationID? {
    try under.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      return try statement.step() ? ConversationID(stored: statement.text()) : nil
    }
  }

  /// Removes all threads of a conversation; their messages are left to `Upkeep`.
  func deleteAll(of conversation: Int64) throws(StoreError) {
    for statement in deletions { try statement.run { $0.bind(conversation) } }
  }
}
