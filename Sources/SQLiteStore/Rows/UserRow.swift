import ChatEngine
import ChatModel

/// How a user's row is written and read.
enum UserRow {
  /// The columns in the order of `bind` and `read`.
  static let columns = """
    id, name, role, photo_url, locale, custom, welcome_message, email, phone, created_at, changed_at, revision, revoked_at,
    last_active_at, muted
    """

  /// Binds `columns`.
  static func bind(_ record: UserRecord, to statement: Statement, _ fields: StoredFields) {
    statement.bind(record.id.text)
    statement.bind(record.name)
    statement.bind(record.role)
    statement.bind(record.photoUrl)
    statement.bind(record.locale)
    fields.bind(record.custom, to: statement)
    statement.bind(record.welcomeMessage)
    fields.bind(record.email, to: statement)
    fields.bind(record.phone, to: statement)
    statement.bind(record.createdAt)
    statement.bind(record.changedAt)
    statement.bind(record.revision)
    statement.bind(record.revokedAt)
    statement.bind(record.lastActiveAt)
    fields.bind(record.muted.map(\.text), to: statement)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement, _ fields: StoredFields) throws(StoreError) -> UserRecord {
    var record = UserRecord(id: UserID(stored: statement.text()), name: statement.text(), createdAt: 0)
    record.role = statement.text()
    record.photoUrl = statement.optionalText()
    record.locale = statement.optionalText()
    record.custom = try fields.custom(from: statement)
    record.welcomeMessage = statement.optionalText()
    record.email = try fields.strings(from: statement)
    record.phone = try fields.strings(from: statement)
    record.createdAt = statement.integer()
    record.changedAt = statement.integer()
    record.revision = statement.integer()
    record.revokedAt = statement.optionalInteger()
    record.lastActiveAt = statement.optionalInteger()
    record.muted = try fields.strings(from: statement).map { UserID(stored: $0) }
    return record
  }
}
