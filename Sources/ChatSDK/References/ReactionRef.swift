import ChatModel

/// A reference to one reaction to a message, by the current user.
public struct ReactionRef: Hashable, Sendable {
  /// An emoji, or `:name:`.
  public let emoji: String
  public let messageId: String
  public let conversationId: String
  private let chat: ChatCore

  init(emoji: String, messageId: String, conversationId: String, chat: ChatCore) {
    self.emoji = emoji
    self.messageId = messageId
    self.conversationId = conversationId
    self.chat = chat
  }

  public static func == (left: ReactionRef, right: ReactionRef) -> Bool {
    left.emoji == right.emoji && left.messageId == right.messageId && left.conversationId == right.conversationId
      && left.chat === right.chat
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(emoji)
    hasher.combine(messageId)
  }

  /// Reacts; what is there already is no error.
  public func add() async throws(ChatError) { try await call { .addReaction($0, $1) } }

  /// Takes the reaction back; what is not there is no error.
  public func remove() async throws(ChatError) { try await call { .removeReaction($0, $1) } }

  private func call(_ operation: (MessageID, ReactionEmoji) -> ConversationOperation) async throws(ChatError) {
    let message = chat.message(messageId, in: try chat.conversation(conversationId))
    // What an emoji is, is the gateway's to say.
    try await chat.call(conversationId, operation(message, ReactionEmoji(stored: emoji)))
  }
}
