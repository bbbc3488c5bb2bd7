import ChatModel

/// Waiting for one's turn to send.
extension ConversationMachine {
  /// Whether a message that may be sent has to wait; throws where it would wait too long.
  mutating func waits(
    _ message: OutgoingMessage, by caller: Caller, as call: CallID, at moment: Moment
  ) throws(ChatError) -> Bool {
    guard let baseMs = state.record.flatMap({ settings.sendBaseMs[$0.type] }), baseMs > 0 else { return false }
    let waiting = SendLimiter.Waiting(call: call, operation: .send(message), caller: caller)
    switch limiter.request(waiting, baseMs: baseMs, mayWait: !isStopping, at: moment.tick) {
    case .sendNow: return false
    case .wait: return true
    case .refuse(let milliseconds):
      throw ChatError(.rateLimited, "You send too much at once in this conversation", retryAfterMs: Int(clamping: milliseconds))
    }
  }

  /// Lets those send whose turn has come; says whether there are any.
  mutating func takeTurns(at moment: Moment) -> Bool {
    let turns = limiter.expire(now: moment.tick)
    for turn in turns { queue.append(.call(turn.call, turn.operation, turn.caller)) }
    return !turns.isEmpty
  }

  /// The connection of a send ended: what waits for its turn is not sent.
  package mutating func leftQueue(_ call: CallID) -> [EngineAction] {
    limiter.remove(call) ? [.reply(call, .failure(ChatError(.cancelled, "The connection ended")))] : []
  }

  /// The gateway is about to stop: what waits for its turn is refused, and nothing waits any more.
  package mutating func stop() -> [EngineAction] {
    isStopping = true
    return limiter.removeAll().map { .reply($0.call, .failure(Self.stopping)) }
  }

  private static let stopping = ChatError(.unavailable, "The gateway is about to restart; the message was not sent", retryAfterMs: 1000)
}
