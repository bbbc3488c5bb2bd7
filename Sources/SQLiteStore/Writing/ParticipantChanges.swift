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
      INSERT OR REPLACE INTO participants (conversation, \(ParticipantRow.columns))
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
      """)
    delete = try database.prepare("DELETE FROM participants WHERE conversation = ?1 AND user = ?2")
    insertTombstone = try database.prepare(
      """
      INSERT OR REPLACE INTO removed_participants (conversation, user, revision, access)
      SELECT conversation, user, ?3, access FROM participants WHERE conversation = ?1 AND user = ?2
      """)
    deleteTombstone = try database.prepare("DELETE FROM removed_participants WHERE conversation = ?1 AND user = ?2")
  }

  /// Inserts or replaces a place; the tombstone of an earlier one goes.
  func put(_ record: ParticipantRecord, in conversation: Int64) throws(StoreError) {
    let bind: (Statement) -> Void = { statement in
      statement.bind(conversation)
      ParticipantRow.bind(record, to: statement)
    }
    try update.run(bind)
    guard database.changedRows == 0 else { return }
    try insert.run(bind)
    try deleteTombstone.run { statement in
      statement.bind(conversation)
      statement.bind(record.user.text)
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
    try delete.run { statement in
      statement.bind(conversation)
      statement.bind(user.text)
    }
  }
}
