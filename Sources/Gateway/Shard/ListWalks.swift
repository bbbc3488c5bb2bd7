import ChatEngine
import Queues

/// Who looks through all of a user's conversations, for those that a filter lets pass or without what is hidden: one of a loop at a time,
/// in turn.
///
/// Of a user with ten thousand of them that takes a while, and somebody with many such lists must not keep all of the store's readers.
struct ListWalks {
  private var waiting = FIFO<(MachineKey, [StoreQuery])>()
  private var isWalking = false

  /// A machine wants to ask; says whether it is its turn, else it waits.
  mutating func begin(_ key: MachineKey, _ queries: [StoreQuery]) -> Bool {
    guard isWalking else {
      isWalking = true
      return true
    }
    waiting.append((key, queries))
    return false
  }

  /// The store answered the one whose turn it was; returns whose turn it is now.
  mutating func finished() -> (MachineKey, [StoreQuery])? {
    let next = waiting.popFirst()
    if next == nil { isWalking = false }
    return next
  }
}
