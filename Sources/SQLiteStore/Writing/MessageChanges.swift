import ChatEngine
import ChatModel

/// Writes rows of messages.
struct MessageChanges {
  private let database: Database
  private let insert: Statement
  private let update: Statement
  private let newest: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    // The index alone would let a message be added beside its own tombstone.
    insert = try database.prepare(
      """
      INSERT INTO messages (conversation, \(MessageRow.columns), key_sender, client_message_id, request_hash)
      SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16
      WHERE NOT EXISTS (SELECT 1 FROM messages WHERE conversation = ?1 AND number = ?2)
      """)
    update = try database.prepare(
      """
      UPDATE messages SET is_deleted = ?3, revision = ?4, type = ?5, sender = ?6, custom = ?7, created_at = ?8, edited_at = ?9,
        referenced = ?10, origin = ?11, content = ?12, reactions = ?13 WHERE conversation = ?1 AND number = ?2
      """)
    newest = try database.prepare(
      "SELECT number, created_at FROM messages WHERE conversation = ?1 AND is_deleted = 0 ORDER BY number DESC LIMIT 1")
  }

  /// Adds a message.
  func append(
    _ record: MessageRecord, key: SendKey?, to id: ConversationID, _ conversations: inout ConversationChanges
  ) throws(StoreError) {
    let place = try conversations.existingPlace(of: id)
    try insert.run { statement in
      statement.bind(place.key)
      MessageRow.bind(record, to: statement, database.fields)
      statement.bind(key?.sender.text)
      statement.bind(key?.clientMessageId)
      statement.bind(key?.requestHash)
    }
    guard database.changedRows == 1 else { throw .duplicate("message") }
    if !record.isDeleted, record.number > (place.newest?.number ?? .min) {
      try conversations.setNewest(.init(number: record.number, createdAt: record.createdAt), of: id, at: place)
    }
  }

  /// Replaces a message; its send key stays.
  func update(_ record: MessageRecord, in id: ConversationID, _ conversations: inout ConversationChanges) throws(StoreError) {
    let place = try conversations.existingPlace(of: id)
    try update.run { statement in
      statement.bind(place.key)
      MessageRow.bind(record, to: statement, database.fields)
    }
    guard database.changedRows == 1 else { throw .missing("message") }
    if record.isDeleted { try conversations.deleteThread(under: record.number, of: place) }
    // A change below the newest message leaves it the newest.
    if record.number >= place.newest?.number ?? .min {
      try conversations.setNewest(findNewest(place.key), of: id, at: place)
    }
  }

  private func findNewest(_ conversation: Int64) throws(StoreError) -> ConversationChanges.Newest? {
    try newest.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      guard try statement.step() else { return nil }
      return .init(number: statement.integer(), createdAt: statement.integer())
    }
  }
}
