import Crypto
import GatewayProtocol
import Observability
import Transport

// The end of the gateway, as one loop sees it.
extension ChatHub {
  /// Tells every client to go and closes the connections in batches; `done` is called when the last is gone.
  ///
  /// Idle HTTP connections stay until `endAll`, so that health checks hear what happens.
  func startDrain(on loop: isolated EventLoop, done: @escaping @Sendable () -> Void) {
    guard drained == nil else { return }
    drained = done
    directory.shards[index].post(.stopping)
    for connection in Array(context.connections.values) where connection.isHTTP { connection.drain(on: loop) }
    let numbers = context.connections.values.filter { !$0.isHTTP }.map(\.number).sorted()
    leaving = Set(numbers)
    let limits = services.connections
    drain = DrainPlan(connections: numbers, drainMs: limits.drainMs, farewellMs: limits.farewellMs, now: loop.now.milliseconds)
    for number in numbers { announceDrain(number, on: loop) }
    finishDrainWhenEmpty()
    // Clients hear of it a moment before the first of them is closed.
    if drained != nil { _ = loop.schedule(self, tag: Self.drainTag, at: loop.now + DrainPlan.stepMs) }
  }

  private func announceDrain(_ number: UInt64, on loop: isolated EventLoop) {
    guard let member = members[number] else { return }
    let drainMs = services.connections.drainMs
    let delay = SecureRandom.uint64() % max(1, drainMs)
    returns[number] = loop.now + delay
    member.session.send(
      .notification(.goAway(.restart, reconnectAfterMs: Int(clamping: delay), deadlineMs: Int(clamping: drainMs))), to: member.connection,
      on: loop)
  }

  func drainBatch(on loop: isolated EventLoop) {
    guard var plan = drain else { return }
    switch plan.step(at: loop.now.milliseconds) {
    case .close(let numbers):
      for number in numbers {
        // A running request is answered first, while there is time.
        if members[number]?.session.isBusy == true { plan.postpone(number) } else { end(number, on: loop) }
      }
    case .closeAll(let numbers):
      for number in numbers { end(number, on: loop) }
    case .freeAll:
      for number in leaving { context.connections[number]?.end(.drained, on: loop) }
    }
    drain = plan
    guard drained != nil else { return }
    _ = loop.schedule(self, tag: Self.drainTag, at: loop.now + DrainPlan.stepMs)
  }

  /// Closes with the time that the client was told, as far as it is still ahead.
  private func end(_ number: UInt64, on loop: isolated EventLoop) {
    let wait = returns.removeValue(forKey: number).map { Int(clamping: $0.milliseconds(since: loop.now)) }
    context.connections[number]?.drain(retryAfterMs: wait, on: loop)
  }

  func finishDrainWhenEmpty() {
    guard let drained, leaving.isEmpty else { return }
    self.drained = nil
    drained()
  }
}
