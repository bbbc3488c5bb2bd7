import ChatEngine
import ChatModel
import Queues

/// The pages of history that a shard reads beside the queues of its conversations, a few at a time.
///
/// Those that wait can be taken back: nobody reads a page for a client that is gone, and the store's readers have a short queue.
struct HistoryReads {
  /// A page that somebody asked for.
  struct Page: Hashable {
    let call: CallID
    let conversation: ConversationID
    let query: StoreQuery
  }

  /// How many are at the store at once.
  static let maxRunning = 8

  private var waiting = FIFO<Page>()
  private var running = 0

  /// A page is asked for; says whether it is read now, else it waits.
  mutating func begin(_ page: Page) -> Bool {
    guard running < Self.maxRunning else {
      waiting.append(page)
      return false
    }
    running += 1
    return true
  }

  /// The store answered; returns the page that is read next.
  mutating func finished() -> Page? {
    let next = waiting.popFirst()
    if next == nil { running -= 1 }
    return next
  }

  /// A call is no longer wanted; says whether its page waited.
  mutating func cancel(_ call: CallID) -> Bool {
    guard let index = waiting.firstIndex(where: { $0.call == call }) else { return false }
    waiting.remove(index)
    return true
  }
}
