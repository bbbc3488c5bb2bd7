import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
import Transport
import WebSocketProtocol

// What goes back to the client.
extension ChatSession {
  // MARK: - From the shards

  /// A reply came from a shard.
  func replied(_ call: CallID, _ result: Result<ChatReply, ChatError>, _ connection: Connection, on loop: isolated EventLoop) {
    guard let known = calls.take(serial: call.serial) else { return }
    switch (known.kind, result) {
    case (.page, _):
      let outcome = result.map { CallResult.chat($0) }.mapError { RPCError($0) }
      for waiting in [known] + calls.takeJoined(to: call.serial) { finish(waiting, outcome, connection, on: loop) }
    case (.persist(let waited), _): persisted(waited, result, connection, on: loop)
    case (.revoke(of: let user, by: let caller), .success(.count(let count))):
      hub.sessionsRevoked(of: user, by: caller, connection)
      finish(known, .success(.revoked(count)), connection, on: loop)
    case (.refresh(let expiresAt), .success): refreshed(known, expiresAt: expiresAt, connection, on: loop)
    case (.refresh, .failure(let error)): refreshRefused(known, error, connection, on: loop)
    case (_, .success(let reply)): finish(known, .success(.chat(reply)), connection, on: loop)
    case (_, .failure(let error)): finish(known, .failure(RPCError(error)), connection, on: loop)
    }
    roomCame(connection, on: loop)
  }

  /// The user's sessions came.
  func listed(_ call: CallID, _ sessions: [SessionRecord], _ connection: Connection, on loop: isolated EventLoop) {
    guard let known = calls.take(serial: call.serial) else { return }
    let summaries = sessions.map { session in
      SessionSummary(
        session: session.session, kind: session.kind, role: session.role, openedAt: session.openedAt,
        expiresAt: session.expiresAt.map { $0 &* 1000 }, isCurrent: session.endpoint == endpoint)
    }
    finish(known, .success(.sessions(summaries)), connection, on: loop)
    roomCame(connection, on: loop)
  }

  /// Whether calls are being answered.
  var isBusy: Bool { calls.count > 0 || pacing.callCount > 0 || !finished.isEmpty }

  /// Reads on when there is room for calls again.
  func readOn(_ connection: Connection, on loop: isolated EventLoop) {
    if wantsMore(from: connection) { connection.resumeReading(on: loop) }
  }

  // MARK: - To the client

  /// Answers a call at once.
  func finish(_ waited: WaitingCall, _ outcome: Result<CallResult, RPCError>, _ connection: Connection, on loop: isolated EventLoop) {
    finish(PendingCall(waited), outcome, connection, on: loop)
  }

  /// Answers a call that was registered.
  func finish(_ call: PendingCall, _ outcome: Result<CallResult, RPCError>, _ connection: Connection, on loop: isolated EventLoop) {
    hub.count(call, outcome)
    if let id = call.id, call.batch == nil { calls.answered(id) }
    deliver(call.id.map { ServerMessage(to: $0, outcome) }, call.batch, connection, on: loop)
    pacing.release(call.reserved)
  }

  /// Answers a call and ends the connection behind the answer, which may be the array of a batch.
  func finish(
    _ call: PendingCall, _ outcome: Result<CallResult, RPCError>, closing reason: CloseReason, _ cause: CloseCause,
    _ connection: Connection, on loop: isolated EventLoop
  ) {
    call.batch?.farewell = (reason, cause)
    finish(call, outcome, connection, on: loop)
    if call.batch == nil { close(reason, cause, connection, on: loop) }
  }

  /// Sends a reply, or adds it to the array of its batch.
  func deliver(_ message: ServerMessage?, _ batch: BatchReplies?, _ connection: Connection, on loop: isolated EventLoop) {
    guard let batch else {
      if let message { send(message, to: connection, on: loop) }
      return
    }
    if batch.add(message?.encoded) { batchIsDone(batch, connection, on: loop) }
  }

  /// Sends a message that only this connection gets.
  func send(_ message: ServerMessage, to connection: Connection, on loop: isolated EventLoop) {
    connection.send(text: message.encoded, isSecret: message.isSecret, on: loop)
  }

  /// Ends the connection with a reason of the protocol.
  func close(_ reason: CloseReason, _ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) {
    connection.close(CloseCode(rawValue: reason.code), reason.text, cause, on: loop)
  }
}
