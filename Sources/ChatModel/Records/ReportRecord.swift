/// One participant's complaint about a message, as it is kept.
///
/// It holds what the message said then: an edit or a deletion does not take it from the moderators.
package struct ReportRecord: Hashable, Sendable {
  /// The conversation's revision at which it was made; orders reports and names them.
  package let revision: Int64
  package let message: MessageNumber
  /// Who sent the message; nil for a system message.
  package let sender: UserID?
  /// The beginning of the message's plain text.
  package let text: String
  package let reporter: UserID
  package let reason: String
  package let reportedAt: Timestamp

  /// Makes a report.
  package init(
    revision: Int64, message: MessageNumber, sender: UserID?, text: String, reporter: UserID, reason: String, reportedAt: Timestamp
  ) {
    self.revision = revision
    self.message = message
    self.sender = sender
    self.text = text
    self.reporter = reporter
    self.reason = reason
    self.reportedAt = reportedAt
  }
}
