import ChatEngine
import ChatModel

/// The `conversation.markAllAsRead` calls under way: each is many calls, of which the last gives the reply.
struct ReadingAll {
  private struct Batch {
    let call: CallID
    var left: Int
    var count: Int
    /// The first failure of a part.
    var error: ChatError?
  }

  private var batches: [UInt64: Batch] = [:]
  private var lastNumber: UInt64 = 0

  /// Begins a call that is done when `parts` of them are.
  mutating func begin(_ call: CallID, parts: Int) -> UInt64 {
    lastNumber += 1
    batches[lastNumber] = Batch(call: call, left: parts, count: 0)
    return lastNumber
  }

  /// One of them is done; returns the call when it was the last, with how many were marked or why one was not.
  mutating func finished(one batch: UInt64, _ error: ChatError?) -> (CallID, Result<Int, ChatError>)? {
    guard var known = batches[batch] else { return nil }
    known.left -= 1
    if let error {
      // A conversation that is gone, or that the user left meanwhile, has nothing to read.
      let hasNothingToRead = error.kind == .notFound || error.kind == .notParticipant || error.kind == .forbidden
      if !hasNothingToRead, known.error == nil { known.error = error }
    } else {
      known.count += 1
    }
    batches[batch] = known.left > 0 ? known : nil
    guard known.left <= 0 else { return nil }
    return (known.call, known.error.map { .failure($0) } ?? .success(known.count))
  }
}
