import ChatEngine
import ChatModel

/// How a conversation's row is written and read.
enum ConversationRow {
  /// The columns in the order of `bind` and `read`, without the key and what the writer keeps about the newest message.
  static let columns = """
    id, type, pair_first, pair_second, subject, photo_url, welcome_messages, custom, created_at, revision, clock, pinned,
    reply_count
    """

  /// Binds all columns but the id.
  static func bind(_ record: ConversationRecord, to statement: Statement, _ fields: StoredFields) {
    statement.bind(record.type.stored)
    statement.bind(record.pair?.first.text)
    statement.bind(record.pair?.second.text)
    statement.bind(record.subject)
    statement.bind(record.photoUrl)
    fields.bind(record.welcomeMessages, to: statement)
    fields.bind(record.custom, to: statement)
    statement.bind(record.createdAt)
    statement.bind(record.revision)
    statement.bind(record.clock)
    statement.bind(record.pinned)
    statement.bind(Int64(record.replyCount))
  }

  /// Reads `columns`.
  static func read(_ statement: Statement, _ fields: StoredFields) throws(StoreError) -> ConversationRecord {
    let id = ConversationID(stored: statement.text())
    let type = try ConversationType(from: statement)
    let pair = try pair(statement.optionalText(), statement.optionalText())
    let subject = statement.optionalText()
    let photoUrl = statement.optionalText()
    let welcomeMessages = try fields.strings(from: statement)
    let custom = try fields.custom(from: statement)
    var record = ConversationRecord(id: id, type: type, pair: pair, createdAt: statement.integer())
    record.subject = subject
    record.photoUrl = photoUrl
    record.welcomeMessages = welcomeMessages
    record.custom = custom
    record.revision = statement.integer()
    record.clock = statement.integer()
    record.pinned = statement.optionalInteger()
    record.replyCount = Int(clamping: statement.integer())
    return record
  }

  private static func pair(_ first: String?, _ second: String?) throws(StoreError) -> DirectPair? {
    guard let first, let second else { return nil }
    guard let pair = DirectPair(UserID(stored: first), UserID(stored: second)) else { throw .badRow("a pair of one user") }
    return pair
  }
}
