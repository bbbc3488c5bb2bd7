import ChatModel

/// Saying that one types. Nothing of it is stored, and no revision is used.
extension ConversationMachine {
  mutating func markAsTyping(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireTypist(caller)
    begin(.mark, of: caller.user, lasting: settings.typingMarkMs, at: moment)
    return .done
  }

  mutating func startTyping(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireTypingSignals(caller)
    begin(.start, of: caller.user, lasting: settings.typingStartMs, at: moment)
    return .done
  }

  mutating func stopTyping(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireTypingSignals(caller)
    if typing.stop(caller.user, now: moment.tick) { noteTypists([caller.user]) }
    return .done
  }

  /// Lets pass who has a place to type in, where an application that takes no part would be shown to others as a participant, and something
  /// to type.
  private func requireTypist(_ caller: Caller) throws(ChatError) {
    guard try requireSpeaker(caller) != nil else { throw .notParticipant }
    try require(caller.permissions.send, of: caller, on: caller.user, to: "send")
  }

  private func requireTypingSignals(_ caller: Caller) throws(ChatError) {
    try requireTypist(caller)
    // PubNub's sentence for its `startTyping` and `stopTyping`; `markAsTyping` is TalkJS's and knows no such rule.
    guard state.record?.type != .public else { throw ChatError(.forbidden, "Typing indicators are not supported in Public chats.") }
  }

  private mutating func begin(_ lease: TypingMachine.Lease, of user: UserID, lasting milliseconds: Int64, at moment: Moment) {
    let end = moment.tick &+ UInt64(max(0, milliseconds))
    if typing.begin(lease, of: user, until: end) { noteTypists([user]) }
  }
}
