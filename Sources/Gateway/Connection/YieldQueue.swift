import Transport

/// Lets connections whose work of one go is used up go on in the next round of the loop, after all sockets that became ready in between.
final class YieldQueue: MailboxOwner {
  private var waiting: [Connection] = []

  init(on loop: isolated EventLoop) { loop.own(self) }

  /// Lets a connection wait for the next round, `Connection.goOn(on:)`.
  func append(_ connection: Connection, on loop: isolated EventLoop) {
    if waiting.isEmpty { loop.wake() }
    waiting.append(connection)
  }

  func mailArrived(on loop: isolated EventLoop) {
    // Who has still more to do waits for the round after this one.
    let round = waiting
    waiting = []
    for connection in round { connection.goOn(on: loop) }
  }
}
