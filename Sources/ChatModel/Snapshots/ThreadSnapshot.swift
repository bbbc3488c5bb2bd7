/// The thread under a message, as the message shows it.
package struct ThreadSnapshot: Hashable, Sendable {
  /// The conversation of the replies.
  package let conversation: ConversationID
  package let replyCount: Int
  package let lastReplyAt: Timestamp?

  package init(conversation: ConversationID, replyCount: Int, lastReplyAt: Timestamp?) {
    self.conversation = conversation
    self.replyCount = replyCount
    self.lastReplyAt = lastReplyAt
  }
}
