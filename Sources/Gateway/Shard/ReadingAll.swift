import ChatEngine
import ChatModel
import Queues

/// The `conversation.markAllAsRead` calls under way: each is many calls, of which the last gives the reply.
///
/// A few of them are under way at a time, and callers take turns: one with thousands of unread conversations keeps neither the loops nor others
/// who mark all of theirs.
struct ReadingAll {
  /// One conversation to mark for a caller.
  struct Part: Hashable {
    let batch: UInt64
    let conversation: ConversationID
    let caller: Caller
  }

  private struct Batch {
    let call: CallID
    let caller: Caller
    /// Those that are to be marked, the last first.
    var waiting: [ConversationID]
    var running = 0
    var count = 0
    /// The first failure of a part.
    var error: ChatError?
  }

  /// How many parts of all calls are under way at once.
  static let maxRunning = 64

  private var batches: [UInt64: Batch] = [:]
  /// The batches of which something waits, in the order of their turns.
  private var turns = FIFO<UInt64>()
  private var running = 0
  private var lastNumber: UInt64 = 0

  /// Begins a call that is done when all of some conversations are marked.
  ///
  /// There must be one at least: nothing would be done last, and give the reply.
  mutating func begin(_ call: CallID, of caller: Caller, _ conversations: [ConversationID]) {
    lastNumber += 1
    batches[lastNumber] = Batch(call: call, caller: caller, waiting: conversations.reversed())
    turns.append(lastNumber)
  }

  /// The part that begins now; nil where enough are under way, or none waits.
  mutating func next() -> Part? {
    guard running < Self.maxRunning else { return nil }
    while let number = turns.popFirst() {
      guard var batch = batches[number], let conversation = batch.waiting.popLast() else { continue }
      batch.running += 1
      running += 1
      batches[number] = batch
      if !batch.waiting.isEmpty { turns.append(number) }
      return Part(batch: number, conversation: conversation, caller: batch.caller)
    }
    return nil
  }

  /// A part is done; returns the call when it was the last, with how many were marked or why one was not.
  mutating func finished(one number: UInt64, _ error: ChatError?) -> (CallID, Result<Int, ChatError>)? {
    guard var batch = batches[number], batch.running > 0 else { return nil }
    batch.running -= 1
    running -= 1
    if let error {
      // A conversation that is gone, or that the user left meanwhile, has nothing to read.
      let hasNothingToRead = error.kind == .notFound || error.kind == .notParticipant || error.kind == .forbidden
      if !hasNothingToRead, batch.error == nil { batch.error = error }
    } else {
      batch.count += 1
    }
    let isDone = batch.running == 0 && batch.waiting.isEmpty
    batches[number] = isDone ? nil : batch
    guard isDone else { return nil }
    return (batch.call, batch.error.map { .failure($0) } ?? .success(batch.count))
  }
}
