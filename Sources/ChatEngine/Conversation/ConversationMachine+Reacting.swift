import ChatModel

/// Reacting to messages.
extension ConversationMachine {
  mutating func addReaction(
    _ emoji: ReactionEmoji, to message: MessageID, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireSpeaker(caller)
    var record = try reactable(message, by: caller)
    let reaction = Reaction(message: record.number, user: caller.user, emoji: emoji)
    // Adding twice is one.
    guard !state.marks[caller.user][record.number].contains(emoji) else { return .message(snapshot(of: record, for: caller.user)) }
    if let index = record.reactions.firstIndex(where: { $0.emoji == emoji }) {
      record.reactions[index].count += 1
    } else {
      guard record.reactions.count < ReactionEmoji.maxKinds else { throw Self.tooManyKinds }
      record.reactions.append(ReactionCount(emoji: emoji, count: 1))
    }
    state.marks.insert(reaction, viewers: audience.viewers)
    batch.changes.append(.putReaction(id, reaction))
    return .message(rewrite(record, reaction, for: caller, at: moment))
  }

  /// Takes a reaction back, which who is muted may too.
  mutating func removeReaction(
    _ emoji: ReactionEmoji, from message: MessageID, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    var record = try reactable(message, by: caller)
    let reaction = Reaction(message: record.number, user: caller.user, emoji: emoji)
    guard
      state.marks[caller.user][record.number].contains(emoji), let index = record.reactions.firstIndex(where: { $0.emoji == emoji })
    else { return .message(snapshot(of: record, for: caller.user)) }
    record.reactions[index].count -= 1
    if record.reactions[index].count <= 0 { record.reactions.remove(at: index) }
    state.marks.remove(reaction)
    batch.changes.append(.removeReaction(id, reaction))
    return .message(rewrite(record, reaction, for: caller, at: moment))
  }

  /// The message, when the caller may react to it.
  private func reactable(_ message: MessageID, by caller: Caller) throws(ChatError) -> MessageRecord {
    // A reaction is somebody's: a backend reacts for a participant.
    guard try requireWriter(caller) != nil else { throw .notParticipant }
    guard let record = state.window.living(message.number) else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: "message")
    }
    guard record.type == .user else { throw ChatError(.forbidden, "System messages take no reactions", field: "message") }
    try require(caller.permissions.react, of: caller, on: record.sender, to: "react to")
    return record
  }

  private mutating func rewrite(
    _ record: MessageRecord, _ reaction: Reaction, for caller: Caller, at moment: Moment
  ) -> MessageSnapshot {
    outbox.dirt.marked.insert(reaction.user)
    return update(record, advance(at: moment), for: caller)
  }

  private static let tooManyKinds = ChatError(
    .limitExceeded, "A message takes at most \(ReactionEmoji.maxKinds) different reactions", field: "emoji")
}
