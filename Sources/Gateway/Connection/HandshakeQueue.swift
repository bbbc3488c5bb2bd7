import Queues
import Transport

/// Gives the TLS connections of a loop their turns at a handshake: one turn in each round of the loop.
///
/// A full handshake costs half a millisecond or more, and thousands may be asked for at once when clients come back. So a connection whose
/// handshake has something to read is not read at once; it waits here, unwatched, and its bytes wait in the kernel. A turn is one step of one
/// handshake, taken when the loop's mail is collected; who leaves others waiting wakes the loop again, so that the next turn comes in the next
/// round, after all sockets that became ready in between. Whatever else lives on the loop waits for one step at most, however many wait here.
///
/// Those who begin and those who have begun take turns: else a crowd of new ones would keep the others, for whom the costly step is done, from
/// ever finishing in time.
final class HandshakeQueue: MailboxOwner {
  private var beginning = FIFO<Connection>()
  private var begun = FIFO<Connection>()
  /// Whose turn it is.
  private var isForBegun = false

  /// Lets a connection wait for its turn, `Connection.takeTurn(on:)`.
  func append(_ connection: Connection, hasBegun: Bool, on loop: isolated EventLoop) {
    let wasEmpty = isEmpty
    if hasBegun { begun.append(connection) } else { beginning.append(connection) }
    if wasEmpty { loop.wake() }
  }

  func mailArrived(on loop: isolated EventLoop) {
    guard !isEmpty else { return }
    // Who ended while they waited do not use the turn up.
    while let next = next(), !next.takeTurn(on: loop) {}
    if !isEmpty { loop.wake() }
  }

  private var isEmpty: Bool { beginning.isEmpty && begun.isEmpty }

  private func next() -> Connection? {
    isForBegun.toggle()
    return isForBegun ? begun.popFirst() ?? beginning.popFirst() : beginning.popFirst() ?? begun.popFirst()
  }
}
