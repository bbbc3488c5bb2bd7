import ChatModel

/// The pinned message.
extension ConversationMachine {
  mutating func pin(_ message: MessageID, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requirePinning(caller)
    guard let record = state.window.living(message.number) else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: "message")
    }
    change(pinned: record.number, at: moment)
    return .conversation(snapshot(for: caller.user, isApplication: caller.isApplication))
  }

  mutating func unpin(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requirePinning(caller)
    change(pinned: nil, at: moment)
    return .conversation(snapshot(for: caller.user, isApplication: caller.isApplication))
  }

  /// Writes which message is pinned; the change was begun.
  mutating func setPinned(_ number: MessageNumber?) {
    state.record?.pinned = number
    state.window.pin(number)
    outbox.dirt.everyViewer = true
  }

  private func requirePinning(_ caller: Caller) throws(ChatError) {
    try requireEditor(caller)
    try requireSync(caller)
  }

  private mutating func change(pinned number: MessageNumber?, at moment: Moment) {
    guard state.record?.pinned != number else { return }
    _ = advance(at: moment)
    setPinned(number)
  }
}
