import ChatEngine
import ChatModel
import GatewayProtocol
import Transport
import WebSocketProtocol

// Calls and subscriptions wait for room in the queue of the connection.
extension ChatSession {
  /// Runs a call that the session's state let through, or holds it until there is room for its answer.
  func pace(
    _ request: ClientRequest, by caller: Caller, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop
  ) {
    let call = HeldCall(request: request, caller: caller, waited: waited)
    let cost = cost(of: request)
    guard pacing.arrived(call, cost, room(of: connection)) else { return wantRoom(of: connection) }
    run(call, reserving: cost.bytes, connection, on: loop)
  }

  /// Dispatches a call with what is reserved for its answer; what is answered at once needs it no more.
  private func run(_ call: HeldCall, reserving bytes: Int, _ connection: Connection, on loop: isolated EventLoop) {
    grant = bytes
    dispatch(call.request, by: call.caller, call.waited, connection, on: loop)
    pacing.release(grant)
    grant = 0
  }

  /// The reservation of the call that is being dispatched, for the pending call that it becomes.
  func takeGrant() -> Int {
    defer { grant = 0 }
    return grant
  }

  private func cost(of request: ClientRequest) -> OutputCost {
    // Who joins a page that runs gets its reply, and no snapshot of their own.
    if case .loadMore(let name, _, _) = request, let known = subscriptions[name], calls.runningPage(of: known.machine.id) != nil {
      return OutputCost(.ping, maxTextLength: 0)
    }
    return OutputCost(request, maxTextLength: hub.services.chat.maxTextLength)
  }

  private func room(of connection: Connection) -> OutputPacing.Room {
    OutputPacing.Room(
      cap: hub.services.connections.outboundBytes, waiting: connection.waitingBytes, batched: batches.reduce(0) { $0 + $1.byteCount },
      oldestBatch: batches.first)
  }

  /// Something waits: the connection tells when it sent some, and the hub looks once a second.
  private func wantRoom(of connection: Connection) {
    connection.tellsRoom = true
    hub.waitsForRoom(endpoint.connection)
  }

  /// Runs what there is room for now.
  func runHeld(_ connection: Connection, on loop: isolated EventLoop) {
    sendFinished(connection, on: loop)
    let longest = hub.services.chat.maxTextLength
    while !pacing.isEmpty, !isOver, machine.open != nil {
      let next = pacing.next(
        room(of: connection), at: loop.now.milliseconds, cost: { cost(of: $0.request) },
        first: { OutputCost($0.request.topic, maxTextLength: longest) })
      switch next {
      case (.call(let call), let bytes)?: run(call, reserving: bytes, connection, on: loop)
      case (.subscription(let held), _)?: tellShard(of: held)
      case nil: return wantRoom(of: connection)
      }
    }
    if finished.isEmpty { connection.tellsRoom = false }
  }

  /// The connection sent some of what waits.
  func roomCame(_ connection: Connection, on loop: isolated EventLoop) {
    runHeld(connection, on: loop)
    readOn(connection, on: loop)
  }

  /// A second passed; returns whether something still waits.
  func secondPassed(_ connection: Connection, on loop: isolated EventLoop) -> Bool {
    pacing.giveUpAwaited(at: loop.now.milliseconds)
    roomCame(connection, on: loop)
    return !pacing.isEmpty || !finished.isEmpty
  }

  func wantsMore(from connection: Connection) -> Bool {
    guard calls.count + pacing.callCount < hub.services.limits.maxInFlight, finished.isEmpty else { return false }
    var room = room(of: connection)
    // Pings are answered whether their answers are read or not.
    room.waiting = max(0, room.waiting - connection.pongBytes)
    return pacing.wantsMore(room)
  }

  // MARK: - Batches

  /// The last reply of a batch is there: its array is one frame, which is let in alone where it is large.
  func batchIsDone(_ batch: BatchReplies, _ connection: Connection, on loop: isolated EventLoop) {
    finished.append(batch)
    sendFinished(connection, on: loop)
  }

  private func sendFinished(_ connection: Connection, on loop: isolated EventLoop) {
    while let batch = finished.first, !isOver {
      let waiting = connection.waitingBytes
      let share = OutboundQueue.askedShare(of: hub.services.connections.outboundBytes)
      guard waiting == 0 || batch.byteCount + Self.arrayMargin <= share - waiting else { return wantRoom(of: connection) }
      finished.removeFirst()
      if finished.isEmpty { finished = [] }
      batches.removeAll { $0 === batch }
      for id in batch.ids { calls.answered(id) }
      // Never compressed: its replies may be about several rooms, of which an attacker writes in one, or carry a token.
      if let array = batch.encoded { connection.send(text: array, isSecret: true, on: loop) }
      for subscription in batch.takeSubscriptions() { pacing.hold(subscription) }
      if let (reason, cause) = batch.farewell { close(reason, cause, connection, on: loop) }
    }
  }

  /// Bytes of an array beside its replies: brackets, the frame's header.
  private static let arrayMargin = 64
}
