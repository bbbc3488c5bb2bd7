import ChatEngine
import ChatModel

/// Writes rows of restrictions, reports and invitations.
struct ModerationChanges {
  private let putRestriction: Statement
  private let deleteRestriction: Statement
  private let putReport: Statement
  private let deleteReports: Statement
  private let putInvitation: Statement
  private let deleteInvitation: Statement

  init(_ database: Database) throws(StoreError) {
    putRestriction = try database.prepare(
      "INSERT OR REPLACE INTO restrictions (conversation, \(RestrictionRow.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)")
    deleteRestriction = try database.prepare("DELETE FROM restrictions WHERE conversation = ?1 AND user = ?2")
    putReport = try database.prepare(
      "INSERT OR REPLACE INTO reports (conversation, \(ReportRow.columns)) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)")
    deleteReports = try database.prepare("DELETE FROM reports WHERE conversation = ?1 AND message = ?2")
    putInvitation = try database.prepare(
      "INSERT OR REPLACE INTO invitations (conversation, \(InvitationRow.columns)) VALUES (?1, ?2, ?3, ?4)")
    deleteInvitation = try database.prepare("DELETE FROM invitations WHERE conversation = ?1 AND user = ?2")
  }

  /// Inserts or replaces what is forbidden a user.
  func put(_ record: RestrictionRecord, in conversation: Int64) throws(StoreError) {
    try putRestriction.run { statement in
      statement.bind(conversation)
      RestrictionRow.bind(record, to: statement)
    }
  }

  /// Lifts what is forbidden a user; does nothing where that is nothing.
  func removeRestriction(of user: UserID, in conversation: Int64) throws(StoreError) {
    try run(deleteRestriction, conversation, user)
  }

  /// Adds a report, in the place of an earlier one of the same message by the same user.
  func put(_ record: ReportRecord, in conversation: Int64) throws(StoreError) {
    try putReport.run { statement in
      statement.bind(conversation)
      ReportRow.bind(record, to: statement)
    }
  }

  /// Removes all reports of a message.
  func removeReports(of message: MessageNumber, in conversation: Int64) throws(StoreError) {
    try deleteReports.run { statement in
      statement.bind(conversation)
      statement.bind(message)
    }
  }

  /// Inserts or replaces an invitation.
  func put(_ record: InvitationRecord, in conversation: Int64) throws(StoreError) {
    try putInvitation.run { statement in
      statement.bind(conversation)
      InvitationRow.bind(record, to: statement)
    }
  }

  /// Removes an invitation; does nothing where there is none.
  func removeInvitation(of user: UserID, in conversation: Int64) throws(StoreError) { try run(deleteInvitation, conversation, user) }

  private func run(_ deletion: Statement, _ conversation: Int64, _ user: UserID) throws(StoreError) {
    try deletion.run { statement in
      statement.bind(conversation)
      statement.bind(user.text)
    }
  }
}
