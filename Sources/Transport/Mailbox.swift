import Locks

/// Messages from other loops and threads to one owner on one loop.
///
/// Posting costs a lock and an append; the loop is woken only when the box was empty.
package final class Mailbox<Message: Sendable>: Sendable {
  /// The loop on which the owner lives.
  package let loop: EventLoop
  private let box = Lock<[Message]>([])

  /// An empty box; its owner calls `loop.own(_:)` to hear of mail.
  package init(of loop: EventLoop) {
    self.loop = loop
  }

  /// Puts a message in, from any thread, and never blocks for long.
  package func post(_ message: Message) {
    let wasEmpty = box.withLock { box in
      box.append(message)
      return box.count == 1
    }
    if wasEmpty { loop.wake() }
  }

  /// Takes all that arrived, in the order of posting; only the owner calls it, on its loop.
  package func take(on loop: isolated EventLoop) -> [Message] {
    box.withLock { box in
      let all = box
      box = []
      return all
    }
  }
}
