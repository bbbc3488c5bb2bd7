import ChatEngine

/// The `conversation.markAllAsRead` calls under way: each is many calls, of which the last gives the reply.
struct ReadingAll {
  private struct Batch {
    let call: CallID
    var left: Int
    var count: Int
  }

  private var batches: [UInt64: Batch] = [:]
  private var lastNumber: UInt64 = 0

  /// Begins a call that is done when `parts` of them are.
  mutating func begin(_ call: CallID, parts: Int) -> UInt64 {
    lastNumber += 1
    batches[lastNumber] = Batch(call: call, left: parts, count: 0)
    return lastNumber
  }

  /// One of them is done; returns the call and how many changed something when it was the last.
  mutating func finished(one batch: UInt64, didChange: Bool) -> (CallID, count: Int)? {
    guard var known = batches[batch] else { return nil }
    known.left -= 1
    if didChange { known.count += 1 }
    batches[batch] = known.left > 0 ? known : nil
    return known.left > 0 ? nil : (known.call, known.count)
  }
}
