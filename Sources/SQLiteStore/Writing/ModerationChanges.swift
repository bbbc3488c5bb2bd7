import ChatEngine
import ChatModel

/// Writes rows of restrictions.
struct ModerationChanges {
  private let putRestriction: Statement
  private let deleteRestriction: Statement

  init(_ database: Database) throws(StoreError) {
    putRestriction = try database.prepare(
      "INSERT OR REPLACE INTO restrictions (conversation, \(RestrictionRow.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    deleteRestriction = try database.prepare("DELETE FROM restrictions WHERE conversation = ?1 AND user = ?2")
  }

  /// Inserts or replaces what is forbidden a user.
  func put(_ record: RestrictionRecord, in conversation: Int64) throws(StoreError) {
    try putRestriction.run { statement in
      statement.bind(conversation)
      RestrictionRow.bind(record, to: statement)
    }
  }

  /// Lifts what is forbidden a user; does nothing where that is nothing.
  func remove(_ user: UserID, from conversation: Int64) throws(StoreError) {
    try deleteRestriction.run { statement in
      statement.bind(conversation)
      statement.bind(user.text)
    }
  }
}
