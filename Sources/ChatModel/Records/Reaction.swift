/// One user's reaction to a message with one emoji, as it is kept.
package struct Reaction: Hashable, Sendable {
  package let message: MessageNumber
  package let user: UserID
  package let emoji: ReactionEmoji

  package init(message: MessageNumber, user: UserID, emoji: ReactionEmoji) {
    self.message = message
    self.user = user
    self.emoji = emoji
  }
}

/// How many users reacted to a message with one emoji; kept with the message.
package struct ReactionCount: Hashable, Sendable {
  package let emoji: ReactionEmoji
  package var count: Int

  package init(emoji: ReactionEmoji, count: Int) {
    self.emoji = emoji
    self.count = count
  }
}

/// What one user reacted with, by message.
package struct OwnReactions: Hashable, Sendable {
  /// In no order, each once; no list is empty.
  private var byMessage: [MessageNumber: Set<ReactionEmoji>] = [:]

  /// Nothing.
  package init() {}

  /// Takes the reactions of one user, in any order.
  package init(_ reactions: some Sequence<Reaction>) {
    for reaction in reactions { insert(reaction.emoji, on: reaction.message) }
  }

  package var isEmpty: Bool { byMessage.isEmpty }

  /// What the user reacted with to one message.
  package subscript(message: MessageNumber) -> Set<ReactionEmoji> { byMessage[message] ?? [] }

  package mutating func insert(_ emoji: ReactionEmoji, on message: MessageNumber) { byMessage[message, default: []].insert(emoji) }

  package mutating func remove(_ emoji: ReactionEmoji, from message: MessageNumber) {
    byMessage[message]?.remove(emoji)
    if byMessage[message]?.isEmpty == true { byMessage[message] = nil }
  }

  /// Forgets what stands on some messages; returns whether there was any.
  package mutating func forget(_ messages: Set<MessageNumber>) -> Bool {
    let before = byMessage.count
    byMessage = byMessage.filter { !messages.contains($0.key) }
    return byMessage.count != before
  }
}
