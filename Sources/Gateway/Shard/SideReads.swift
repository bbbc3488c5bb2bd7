import ChatEngine
import ChatModel
import Queues

/// A question to the store for which no machine waits: its answer goes straight back to the caller.
struct SideRead: Hashable {
  /// What the answer is made into.
  enum Answer: Hashable {
    case history(ConversationID)
    case present(PresentPage)
    case reports(ConversationID)
    case conversations
  }

  let call: CallID
  let query: StoreQuery
  let answer: Answer

  /// The reply; nil for an answer to another question, which is a fault of the store's.
  func reply(to found: StoreAnswer) -> ChatReply? {
    switch (answer, found, query) {
    case (.history(let conversation), .history(let page, let own), .history(_, let range, limit: _, viewer: _)):
      SnapshotBuilder.history(conversation: conversation, range: range, page: page, own: own)
    case (.history(let conversation), .history(let page, let own), .visibleHistory(_, let range, limit: _, viewer: _, hiding: _)):
      SnapshotBuilder.history(conversation: conversation, range: range, page: page, own: own)
    case (.present(let page), .users(let users), _): SnapshotBuilder.present(page, users: users)
    case (.reports(let conversation), .reports(let page), _): SnapshotBuilder.reports(page, in: conversation)
    case (.conversations, .conversations(let ids), _): .conversations(ids)
    default: nil
    }
  }
}

/// What a shard reads beside the queues of its conversations, a few at a time.
///
/// Those that wait can be taken back: nobody reads a page for a client that is gone, and the store's readers have a short queue.
struct SideReads {
  /// How many are at the store at once.
  static let maxRunning = 8

  private var waiting = FIFO<SideRead>()
  private var running = 0

  /// Something is asked for; says whether it is read now, else it waits.
  mutating func begin(_ read: SideRead) -> Bool {
    guard running < Self.maxRunning else {
      waiting.append(read)
      return false
    }
    running += 1
    return true
  }

  /// The store answered; returns what is read next.
  mutating func finished() -> SideRead? {
    let next = waiting.popFirst()
    if next == nil { running -= 1 }
    return next
  }

  /// A call is no longer wanted; says whether its question waited.
  mutating func cancel(_ call: CallID) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.call == call }) else { return false }
    waiting.remove(index)
    return true
  }
}
