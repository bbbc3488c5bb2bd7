import ChatModel

/// How an invitation's row is written and read.
enum InvitationRow {
  /// The columns in the order of `bind` and `read`, without the conversation's key.
  static let columns = "user, invited_by, invited_at"

  /// Binds `columns`.
  static func bind(_ record: InvitationRecord, to statement: Statement) {
    statement.bind(record.user.text)
    statement.bind(record.invitedBy.text)
    statement.bind(record.invitedAt)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement) -> InvitationRecord {
    InvitationRecord(
      user: UserID(stored: statement.text()), invitedBy: UserID(stored: statement.text()), invitedAt: statement.integer())
  }
}
