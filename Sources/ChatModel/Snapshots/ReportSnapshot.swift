/// A complaint about a message, as moderators see it.
package struct ReportSnapshot: Hashable, Sendable {
  /// Made like a message's, of the revision at which it was reported.
  package let id: MessageID
  package let conversation: ConversationID
  package let message: MessageID
  package let sender: UserSnapshot?
  package let text: String
  package let reporter: UserSnapshot
  package let reason: String
  package let reportedAt: Timestamp

  package init(record: ReportRecord, in conversation: ConversationID, sender: UserSnapshot?, reporter: UserSnapshot) {
    self.init(
      id: MessageID(record.revision, in: conversation), conversation: conversation, message: MessageID(record.message, in: conversation),
      sender: sender, text: record.text, reporter: reporter, reason: record.reason, reportedAt: record.reportedAt)
  }

  /// Makes a report of its fields, as a client reads it.
  package init(
    id: MessageID, conversation: ConversationID, message: MessageID, sender: UserSnapshot?, text: String, reporter: UserSnapshot,
    reason: String, reportedAt: Timestamp
  ) {
    self.id = id
    self.conversation = conversation
    self.message = message
    self.sender = sender
    self.text = text
    self.reporter = reporter
    self.reason = reason
    self.reportedAt = reportedAt
  }

  /// The most bytes of the report as JSON.
  package var encodedSize: Int {
    220 + conversation.text.encodedSize + (sender?.encodedSize ?? 0) + text.encodedSize + reporter.encodedSize + reason.encodedSize
  }
}
