import ChatModel

/// Complaints about messages, for moderators. They are in the store alone.
extension ConversationMachine {
  mutating func report(_ message: MessageID, reason: String, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    // Who may only read, or is muted, calls for help as well.
    _ = try requireInside(caller)
    try FieldChecks.checkReason(reason)
    guard let record = state.window.living(message.number) else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: "message")
    }
    let plaintext = record.content.naming { users.snapshot($0).name }.plaintext
    var text = String.UnicodeScalarView()
    text.append(contentsOf: plaintext.unicodeScalars.prefix(ChatSettings.maxReportedText))
    let step = advance(at: moment)
    let report = ReportRecord(
      revision: step.revision, message: record.number, sender: record.sender, text: String(text), reporter: caller.user, reason: reason,
      reportedAt: step.time)
    batch.changes.append(.putReport(id, report))
    return .done
  }

  /// The question that the store answers to a moderator.
  func listReports(_ range: ReportRange, by caller: Caller) throws(ChatError) -> StoreQuery {
    try requireModerator(caller)
    if let before = range.before, before.number == 0 { throw ChatError(.notFound, "There is no such report", field: "before") }
    return .reports(id, before: range.before?.number, limit: range.limit)
  }

  mutating func dismissReports(_ message: MessageID, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireModerator(caller)
    guard message.number > 0 else { return .done }
    _ = advance(at: moment)
    batch.changes.append(.removeReports(id, message.number))
    return .done
  }
}
