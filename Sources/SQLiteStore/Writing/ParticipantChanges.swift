import ChatEngine
import ChatModel

/// Writes rows of participants and their tombstones.
struct ParticipantChanges {
  private let database: Database
  private let update: Statement
  private let insert: Statement
  private let delete: Statement
  private let insertTombstone: Statement
  private let deleteTombstone: Statement
  private let find: Statement
  private let deleteInThreads: Statement

  init(_ database: Database) throws(StoreError) {
    self.database = database
    // Finds the row by `joined_at` instead of setting it: an index holds that column.
    update = try database.prepare(
      """
      UPDATE participants SET access = ?4, notify = ?5, joined_revision = ?6, read_marker = ?7, read_until = ?8,
        is_marked_unread = ?9, revision = ?10 WHERE conversation = ?1 AND user = ?2 AND joined_at = ?3
      """)
    insert = try database.prepare(
      """
      INSERT OR REPLACE INTO participants (conversation, \(ParticipantRow.columns), root)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)
      """)
    delete = try database.prepare("DELETE FROM participants WHERE conversation = ?1 AND user = ?2")
    insertTombstone = try database.prepare(
      """
      INSERT OR REPLACE INTO removed_participants (conversation, user, revision, access)
      SELECT conversation, user, ?3, access FROM participants WHERE conversation = ?1 AND user = ?2
      """)
    deleteTombstone = try database.prepare("DELETE FROM removed_participants WHERE conversation = ?1 AND user = ?2")
    find = try database.prepare("SELECT 1 FROM participants WHERE conversation = ?1 AND user = ?2")
    deleteInThreads = try database.prepare("DELETE FROM participants WHERE root = ?1 AND user = ?2")
  }

  /// Inserts or replaces a place; the tombstone of an earlier one goes.
  ///
  /// In a thread only who takes part in the root's conversation has one: a call may have been decided while they left it.
  func put(_ record: ParticipantRecord, in place: ConversationChanges.Place) throws(StoreError) {
    let bind: (Statement) -> Void = { statement in
      statement.bind(place.key)
      ParticipantRow.bind(record, to: statement)
    }
    try update.run(bind)
    guard database.changedRows == 0 else { return }
    if let root = place.root, try !isThere(record.user, in: root) { return }
    try insert.run { statement in
      bind(statement)
      statement.bind(place.root)
    }
    try deleteTombstone.run { statement in
      statement.bind(place.key)
      statement.bind(record.user.text)
    }
  }

  private func isThere(_ user: UserID, in conversation: Int64) throws(StoreError) -> Bool {
    try find.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(user.text)
      return try statement.step()
    }
  }

  /// Removes a place and leaves a tombstone; does nothing where there is none.
  func remove(_ user: UserID, from conversation: Int64, revision: Int64) throws(StoreError) {
    try insertTombstone.run { statement in
      statement.bind(conversation)
      statement.bind(user.text)
      statement.bind(revision)
    }
    guard database.changedRows == 1 else { return }
    for statement in [delete, deleteInThreads] {
      try statement.run { statement in
        statement.bind(conversation)
        statement.bind(user.text)
      }
    }
  }
}
