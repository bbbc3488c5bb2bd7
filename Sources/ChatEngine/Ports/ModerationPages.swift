package import ChatModel

/// A piece of a conversation's reports.
package struct ReportPage: Hashable, Sendable {
  /// Newest first.
  package var reports: [ReportRecord]
  /// Those of the senders and reporters who exist.
  package var users: [UserRecord]
  package var reachedEnd: Bool

  package init(reports: [ReportRecord], users: [UserRecord], reachedEnd: Bool) {
    self.reports = reports
    self.users = users
    self.reachedEnd = reachedEnd
  }
}

/// A user's invitations.
package struct InvitationPage: Hashable, Sendable {
  /// One invitation with its conversation.
  package struct Entry: Hashable, Sendable {
    package var record: ConversationRecord
    package var invitation: InvitationRecord

    package init(record: ConversationRecord, invitation: InvitationRecord) {
      self.record = record
      self.invitation = invitation
    }
  }

  package var entries: [Entry]
  /// Those of the inviting users who exist.
  package var users: [UserRecord]

  package init(entries: [Entry], users: [UserRecord]) {
    self.entries = entries
    self.users = users
  }
}

extension SnapshotBuilder {
  /// The reply to `moderation.reports`, from the store's page; ends at `ChatSettings.maxPageBytes`.
  package static func reports(_ page: ReportPage, in conversation: ConversationID) -> ChatReply {
    let known = Dictionary(page.users.map { ($0.id, $0.snapshot) }) { first, _ in first }
    let reports = page.reports.map { record in
      ReportSnapshot(
        record: record, in: conversation, sender: record.sender.map { known[$0] ?? erased($0) },
        reporter: known[record.reporter] ?? erased(record.reporter))
    }
    let (shown, areAll) = fitting(reports, size: \.encodedSize)
    return .reports(shown, loadedAll: page.reachedEnd && areAll)
  }

  /// What the topic `invitations` shows, from the store's page.
  static func invitations(_ page: InvitationPage) -> [InvitationSnapshot] {
    let known = Dictionary(page.users.map { ($0.id, $0.snapshot) }) { first, _ in first }
    let all = page.entries.map { entry in
      let inviter = entry.invitation.invitedBy
      return InvitationSnapshot(record: entry.record, invitedBy: known[inviter] ?? erased(inviter), invitedAt: entry.invitation.invitedAt)
    }
    return fitting(all, size: \.encodedSize).shown
  }
}
