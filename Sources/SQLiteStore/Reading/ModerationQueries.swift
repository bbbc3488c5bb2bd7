import ChatEngine
import ChatModel

/// Reads restrictions.
struct ModerationQueries {
  private let restrictions: Statement

  init(_ database: Database) throws(StoreError) {
    restrictions = try database.prepare("SELECT \(RestrictionRow.columns) FROM restrictions WHERE conversation = ?1 ORDER BY user")
  }

  /// All that is forbidden users of a conversation, ordered by their ids.
  func restrictions(_ conversation: Int64) throws(StoreError) -> [RestrictionRecord] {
    try restrictions.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      var records: [RestrictionRecord] = []
      while try statement.step() { records.append(RestrictionRow.read(statement)) }
      return records
    }
  }
}
