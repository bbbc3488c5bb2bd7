import ChatEngine
import ChatModel

/// Reads what messages show of the threads under them, and who takes part in the conversations of their roots.
struct ThreadQueries {
  private let summaries: Statement
  private let place: Statement
  private let restriction: Statement

  init(_ database: Database) throws(StoreError) {
    summaries = try database.prepare(
      """
      SELECT root_number, revision, reply_count, last_created_at FROM conversations WHERE root = ?1 AND root_number BETWEEN ?2 AND ?3
      """)
    place = try database.prepare("SELECT access FROM participants WHERE conversation = ?1 AND user = ?2")
    restriction = try database.prepare("SELECT \(RestrictionRow.columns) FROM restrictions WHERE conversation = ?1 AND user = ?2")
  }

  /// Adds to messages of one conversation what they show of their threads.
  func fill(_ messages: inout [MessageRecord], of conversation: Int64) throws(StoreError) {
    guard let lowest = messages.lazy.map(\.number).min(), let highest = messages.lazy.map(\.number).max() else { return }
    let found = try summaries(of: conversation, from: lowest, through: highest)
    guard !found.isEmpty else { return }
    for index in messages.indices where !messages[index].isDeleted { messages[index].thread = found[messages[index].number] }
  }

  private func summaries(
    of conversation: Int64, from lowest: MessageNumber, through highest: MessageNumber
  ) throws(StoreError) -> [MessageNumber: ThreadSummary] {
    try summaries.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(lowest)
      statement.bind(highest)
      var found: [MessageNumber: ThreadSummary] = [:]
      while try statement.step() {
        found[statement.integer()] = ThreadSummary(
          revision: statement.integer(), replyCount: Int(clamping: statement.integer()), lastReplyAt: statement.optionalInteger())
      }
      return found
    }
  }

  /// A user's place in a conversation; nil where they have none.
  func place(of user: UserID, in conversation: Int64) throws(StoreError) -> RootPlace? {
    let access = try place.use { (statement) throws(StoreError) -> Access? in
      statement.bind(conversation)
      statement.bind(user.text)
      return try statement.step() ? try Access(from: statement) : nil
    }
    guard let access else { return nil }
    let restriction = try restriction.use { (statement) throws(StoreError) -> RestrictionRecord? in
      statement.bind(conversation)
      statement.bind(user.text)
      return try statement.step() ? RestrictionRow.read(statement) : nil
    }
    return RootPlace(user: user, access: access, restriction: restriction)
  }
}
