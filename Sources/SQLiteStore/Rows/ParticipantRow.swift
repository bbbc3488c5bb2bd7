import ChatEngine
import ChatModel

/// How a participant's row is written and read.
enum ParticipantRow {
  /// The columns in the order of `bind` and `read`, without the conversation's key.
  static let columns = "user, joined_at, access, notify, joined_revision, read_marker, read_until, is_marked_unread, revision"

  /// Binds `columns`.
  static func bind(_ record: ParticipantRecord, to statement: Statement) {
    statement.bind(record.user.text)
    statement.bind(record.joinedAt)
    statement.bind(record.access.stored)
    statement.bind(record.notify.stored)
    statement.bind(record.joinedRevision)
    statement.bind(record.readMarker)
    statement.bind(record.readUntil)
    statement.bind(record.isMarkedUnread)
    statement.bind(record.revision)
  }

  /// Reads `columns`.
  static func read(_ statement: Statement) throws(StoreError) -> ParticipantRecord {
    let user = UserID(stored: statement.text())
    let joinedAt = statement.integer()
    let access = try Access(from: statement)
    let notify = try Notify(from: statement)
    return ParticipantRecord(
      user: user, access: access, notify: notify, joinedAt: joinedAt, joinedRevision: statement.integer(),
      readMarker: statement.integer(), readUntil: statement.integer(), isMarkedUnread: statement.flag(), revision: statement.integer())
  }
}
