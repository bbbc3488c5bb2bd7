import ChatEngine
import ChatModel

/// Reads restrictions, reports and invitations.
struct ModerationQueries {
  private let conversations: ConversationQueries
  private let users: UserQueries
  private let restrictions: Statement
  private let reports: Statement
  private let invitations: Statement
  private let invitationsOfUser: Statement

  init(_ database: Database, conversations: ConversationQueries, users: UserQueries) throws(StoreError) {
    self.conversations = conversations
    self.users = users
    restrictions = try database.prepare("SELECT \(RestrictionRow.columns) FROM restrictions WHERE conversation = ?1 ORDER BY user")
    reports = try database.prepare(
      "SELECT \(ReportRow.columns) FROM reports WHERE conversation = ?1 AND revision < ?2 ORDER BY revision DESC LIMIT ?3")
    invitations = try database.prepare("SELECT \(InvitationRow.columns) FROM invitations WHERE conversation = ?1 ORDER BY user")
    invitationsOfUser = try database.prepare(
      """
      SELECT c.key, i.user, i.invited_by, i.invited_at FROM invitations i CROSS JOIN conversations c ON c.key = i.conversation
      WHERE i.user = ?1 ORDER BY i.invited_at DESC, c.id LIMIT ?2
      """)
  }

  private static let maxPage = 1_000

  /// All that is forbidden users of a conversation, ordered by their ids.
  func restrictions(_ conversation: Int64) throws(StoreError) -> [RestrictionRecord] {
    try restrictions.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      var records: [RestrictionRecord] = []
      while try statement.step() { records.append(RestrictionRow.read(statement)) }
      return records
    }
  }

  /// Everybody who is invited to a conversation, ordered by their ids.
  func invitations(_ conversation: Int64) throws(StoreError) -> [InvitationRecord] {
    try invitations.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      var records: [InvitationRecord] = []
      while try statement.step() { records.append(InvitationRow.read(statement)) }
      return records
    }
  }

  /// A page of a conversation's reports, newest first.
  func reports(_ conversation: Int64, before revision: Int64?, limit: Int) throws(StoreError) -> ReportPage {
    let limit = min(max(0, limit), Self.maxPage)
    var records = try reports.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(revision ?? .max)
      // One more tells whether the page reaches the end.
      statement.bind(Int64(limit + 1))
      var records: [ReportRecord] = []
      while try statement.step() { records.append(ReportRow.read(statement)) }
      return records
    }
    let reachedEnd = records.count <= limit
    if !reachedEnd { records.removeLast() }
    let named = records.flatMap { [$0.sender, $0.reporter].compactMap(\.self) }
    return ReportPage(reports: records, users: try users.users(named), reachedEnd: reachedEnd)
  }

  /// A user's invitations, last invited first.
  func invitations(of user: UserID, limit: Int) throws(StoreError) -> InvitationPage {
    let found = try invitationsOfUser.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      statement.bind(Int64(min(max(0, limit), Self.maxPage)))
      var found: [(key: Int64, invitation: InvitationRecord)] = []
      while try statement.step() { found.append((statement.integer(), InvitationRow.read(statement))) }
      return found
    }
    var entries: [InvitationPage.Entry] = []
    for (key, invitation) in found {
      guard let (record, _) = try conversations.conversation(key) else { continue }
      entries.append(InvitationPage.Entry(record: record, invitation: invitation))
    }
    return InvitationPage(entries: entries, users: try users.users(found.map(\.invitation.invitedBy)))
  }
}
