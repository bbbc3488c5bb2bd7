import ChatModel

/// How a restriction's row is written and read.
enum RestrictionRow {
  /// The columns in the order of `bind` and `read`, without the conversation's key.
  static let columns = "user, is_banned, is_muted, reason, set_by, set_at"

  /// Binds `columns`.
  static func bind(_ record: RestrictionRecord, to statement: Statement) {
    statement.bind(record.user.text)
    statement.bind(record.isBanned)
    statement.bind(record.isMuted)
    statement.bind(record.reason)
    statement.bind(record.setBy.text)
    statement.bind(record.setAt)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement) -> RestrictionRecord {
    RestrictionRecord(
      user: UserID(stored: statement.text()), isBanned: statement.flag(), isMuted: statement.flag(), reason: statement.optionalText(),
      setBy: UserID(stored: statement.text()), setAt: statement.integer())
  }
}
