/// What the message under which a thread hangs shows of it, as it is kept with the thread.
package struct ThreadSummary: Hashable, Sendable {
  /// The thread's revision: of two summaries of one thread the higher one is newer.
  package let revision: Int64
  /// Messages of the thread that are not deleted.
  package let replyCount: Int
  /// When the newest of them was sent; nil where there is none.
  package let lastReplyAt: Timestamp?

  package init(revision: Int64, replyCount: Int, lastReplyAt: Timestamp?) {
    self.revision = revision
    self.replyCount = replyCount
    self.lastReplyAt = lastReplyAt
  }

  /// What is shown of it: nothing before the first reply, and after the last one was deleted.
  package func snapshot(of thread: ConversationID) -> ThreadSnapshot? {
    replyCount > 0 ? ThreadSnapshot(conversation: thread, replyCount: replyCount, lastReplyAt: lastReplyAt) : nil
  }
}
