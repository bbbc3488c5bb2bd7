import ChatModel

/// Changing and deleting messages.
extension ConversationMachine {
  mutating func editMessage(
    _ message: MessageID, _ edit: MessageEdit, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    var record = try editable(message, by: caller)
    guard edit.content != nil || edit.custom != .keep else { throw .invalid("text", "or content or custom must be given") }
    if let content = edit.content {
      try FieldChecks.check(content, by: caller, maxTextLength: settings.maxTextLength)
      // Whom the message named already may have left.
      record.content = try withFiles(content, by: caller).mentioning { self.place(of: $0) != nil || record.content.mentions($0) }
    }
    record.custom.apply(edit.custom)
    try FieldChecks.check(record.custom)
    return .message(rewrite(record, by: caller, at: moment))
  }

  mutating func deleteMessageFields(
    _ message: MessageID, _ fields: [MessageField], by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    var record = try editable(message, by: caller)
    for field in fields {
      switch field {
      case .custom: record.custom = CustomFields()
      case .customKey(let key): record.custom[key] = nil
      }
    }
    return .message(rewrite(record, by: caller, at: moment))
  }

  mutating func deleteMessage(_ message: MessageID, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireWriter(caller)
    try require(caller.permissions.delete == .none ? .none : .all, of: caller, on: nil, to: "delete")
    guard var record = state.window.living(message.number) else { return .done }
    try require(caller.permissions.delete, of: caller, on: record.sender, to: "delete")
    noteMessage(record.number)
    outbox.dirt.ended[record.number] = (record.thread?.replyCount ?? 0) > 0
    record.delete(at: advance(at: moment).revision)
    if state.record?.pinned == record.number { setPinned(nil) }
    state.window.delete(record)
    state.numbers.remove(record.number)
    if thread != nil {
      state.record?.replyCount -= 1
      outbox.dirt.replies = true
    }
    batch.changes.append(.updateMessage(id, record))
    // It may have been unread.
    outbox.dirt.everyViewer = true
    return .done
  }

  /// The message, when the caller may change it.
  private func editable(_ message: MessageID, by caller: Caller) throws(ChatError) -> MessageRecord {
    // Who is muted must not speak by changing what they said; they may take it back.
    try requireSpeaker(caller)
    guard let record = state.window.living(message.number) else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: "message")
    }
    guard record.type == .user else { throw ChatError(.forbidden, "System messages cannot be changed") }
    try require(caller.permissions.edit, of: caller, on: record.sender, to: "edit")
    return record
  }

  /// Writes an edited message; every edit counts as one, also when nothing differs.
  private mutating func rewrite(_ edited: MessageRecord, by caller: Caller, at moment: Moment) -> MessageSnapshot {
    let step = advance(at: moment)
    var record = edited
    record.editedAt = step.time
    return update(record, step, for: caller)
  }

  /// Writes a message that changed and shows it to the caller.
  mutating func update(_ changed: MessageRecord, _ step: Step, for caller: Caller) -> MessageSnapshot {
    var record = changed
    record.revision = step.revision
    state.window.update(record)
    batch.changes.append(.updateMessage(id, record))
    noteMessage(record.number)
    return snapshot(of: record, for: caller.user)
  }

  /// Notes that a message changed, alone or as the quote of others.
  mutating func noteMessage(_ number: MessageNumber) {
    outbox.dirt.messages = true
    if state.isOnDisplay(number) { outbox.dirt.everyViewer = true }
  }
}
