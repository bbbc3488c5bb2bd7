import ChatEngine
import ChatModel

/// Writes rows of reactions.
struct ReactionChanges {
  private let insert: Statement
  private let delete: Statement
  private let deleteAll: Statement

  init(_ database: Database) throws(StoreError) {
    insert = try database.prepare("INSERT OR IGNORE INTO reactions (conversation, number, user, emoji) VALUES (?1, ?2, ?3, ?4)")
    let which = "DELETE FROM reactions WHERE conversation = ?1 AND number = ?2"
    delete = try database.prepare("\(which) AND user = ?3 AND emoji = ?4")
    deleteAll = try database.prepare(which)
  }

  /// Adds a reaction; does nothing where it is there.
  func put(_ reaction: Reaction, in conversation: Int64) throws(StoreError) { try run(insert, reaction, conversation) }

  /// Removes a reaction; does nothing where it is not there.
  func remove(_ reaction: Reaction, in conversation: Int64) throws(StoreError) { try run(delete, reaction, conversation) }

  /// Removes all reactions to a message.
  func removeAll(from message: MessageNumber, in conversation: Int64) throws(StoreError) {
    try deleteAll.run { statement in
      statement.bind(conversation)
      statement.bind(message)
    }
  }

  private func run(_ statement: Statement, _ reaction: Reaction, _ conversation: Int64) throws(StoreError) {
    try statement.run { statement in
      statement.bind(conversation)
      statement.bind(reaction.message)
      statement.bind(reaction.user.text)
      statement.bind(reaction.emoji.text)
    }
  }
}
