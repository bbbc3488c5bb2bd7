import ChatEngine
import ChatModel

/// How a message's row is written and read.
enum MessageRow {
  /// The columns in the order of `bind` and `read`, without the conversation's key and the send key.
  static let columns = """
    number, is_deleted, revision, type, sender, custom, created_at, edited_at, referenced, origin, content, reactions
    """

  /// Binds `columns`.
  static func bind(_ record: MessageRecord, to statement: Statement, _ fields: StoredFields) {
    statement.bind(record.number)
    statement.bind(record.isDeleted)
    statement.bind(record.revision)
    statement.bind(record.type.stored)
    statement.bind(record.sender?.text)
    fields.bind(record.custom, to: statement)
    statement.bind(record.createdAt)
    statement.bind(record.editedAt)
    statement.bind(record.referenced)
    statement.bind(record.origin.stored)
    fields.bind(record.content, to: statement)
    fields.bind(record.reactions, to: statement)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement, _ fields: StoredFields) throws(StoreError) -> MessageRecord {
    let number = statement.integer()
    let isDeleted = statement.flag()
    let revision = statement.integer()
    let type = try MessageType(from: statement)
    let sender = statement.optionalText().map { UserID(stored: $0) }
    let custom = try fields.custom(from: statement)
    let createdAt = statement.integer()
    let editedAt = statement.optionalInteger()
    let referenced = statement.optionalInteger()
    let origin = try MessageOrigin(from: statement)
    let content = try fields.content(from: statement)
    let reactions = try fields.reactions(from: statement)
    return MessageRecord(
      number: number, revision: revision, type: type, sender: sender, custom: custom, createdAt: createdAt, editedAt: editedAt,
      referenced: referenced, origin: origin, content: content, isDeleted: isDeleted, reactions: reactions)
  }
}
