/// What was reacted with to a message, as one viewer sees it.
package struct ReactionSnapshot: Hashable, Sendable {
  package let emoji: ReactionEmoji
  package let count: Int
  package var currentUserReacted: Bool

  package init(emoji: ReactionEmoji, count: Int, currentUserReacted: Bool = false) {
    self.emoji = emoji
    self.count = count
    self.currentUserReacted = currentUserReacted
  }
}

extension [ReactionSnapshot] {
  /// What everybody sees who reacted to nothing.
  package init(_ counts: [ReactionCount]) { self = counts.map { ReactionSnapshot(emoji: $0.emoji, count: $0.count) } }

  /// Marks those that are the viewer's own.
  fileprivate mutating func mark(_ own: Set<ReactionEmoji>) {
    guard !own.isEmpty else { return }
    for index in indices { self[index].currentUserReacted = own.contains(self[index].emoji) }
  }
}

extension MessageSnapshot {
  /// The message as the user sees it whose reactions these are; its quote too.
  package func seen(with own: OwnReactions) -> MessageSnapshot {
    guard !own.isEmpty else { return self }
    var seen = self
    seen.reactions.mark(own[id.number])
    if let quoted = referencedMessage { seen.referencedMessage?.reactions.mark(own[quoted.id.number]) }
    return seen
  }
}
