import ChatModel

/// How a report's row is written and read.
enum ReportRow {
  /// The columns in the order of `bind` and `read`, without the conversation's key.
  static let columns = "message, reporter, revision, sender, text, reason, reported_at"

  /// Binds `columns`.
  static func bind(_ record: ReportRecord, to statement: Statement) {
    statement.bind(record.message)
    statement.bind(record.reporter.text)
    statement.bind(record.revision)
    statement.bind(record.sender?.text)
    statement.bind(record.text)
    statement.bind(record.reason)
    statement.bind(record.reportedAt)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement) -> ReportRecord {
    let message = statement.integer()
    let reporter = UserID(stored: statement.text())
    let revision = statement.integer()
    return ReportRecord(
      revision: revision, message: message, sender: statement.optionalText().map { UserID(stored: $0) }, text: statement.text(),
      reporter: reporter, reason: statement.text(), reportedAt: statement.integer())
  }
}
