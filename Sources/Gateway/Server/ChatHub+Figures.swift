import ChatModel
import Crypto
import GatewayProtocol
import Observability
import Transport

// What one loop counts and logs.
extension ChatHub {
  // MARK: - Calls

  func count(_ call: PendingCall, _ outcome: Result<CallResult, RPCError>) {
    count(call.method, OperationOutcome(outcome), since: call.startedAt)
  }

  /// Counts an answer; a method that there is not is one of `other`.
  func count(_ method: Method?, _ outcome: OperationOutcome, since startedAt: UInt64) {
    let now = SteadyClock.microseconds()
    context.metrics.operations.record(method: method?.index, outcome, microseconds: now > startedAt ? now - startedAt : 0)
  }

  func count(_ kind: TopicKind, from old: SubscriptionCounts.State?, to new: SubscriptionCounts.State?) {
    guard let index = TopicKind.allCases.firstIndex(of: kind) else { return }
    context.metrics.subscriptions.move(kind: index, from: old, to: new)
  }

  // MARK: - Sessions

  func sessionOpened(_ session: SessionMachine.Open, of connection: Connection) {
    let kind = SessionCounts.Kind(session.caller.kind)
    context.metrics.sessions.open(kind)
    services.log.log(
      .info, "session opened", "",
      [
        name(of: connection.number), LogField("user", .text(session.caller.user.text)), LogField("kind", .text(kind.label)),
        LogField("role", .text(session.role)), LogField("client", .text(connection.client.hostOrUnix)),
      ])
  }

  func sessionEnded(_ session: SessionMachine.Open, of endpoint: UInt64, _ cause: CloseCause) {
    let kind = SessionCounts.Kind(session.caller.kind)
    context.metrics.sessions.close(kind)
    services.log.log(
      .info, "session ended", "",
      [
        name(of: endpoint), LogField("user", .text(session.caller.user.text)), LogField("kind", .text(kind.label)),
        LogField("cause", .text(cause.label)),
      ])
  }

  /// A token opened or refreshed nothing; the sentence holds none of it.
  func tokenRefused(_ problem: TokenProblem, of connection: Connection) {
    context.metrics.sessions.refuse(problem.reason)
    services.log.log(
      .info, "token refused", problem.sentence,
      [
        name(of: connection.number), LogField("reason", .text(problem.reason.label)),
        LogField("client", .text(connection.client.hostOrUnix)),
      ])
  }

  /// Somebody ended the sessions of a user.
  func sessionsRevoked(of user: UserID, by caller: UserID, _ connection: Connection) {
    services.log.log(
      .info, "sessions revoked", "",
      [name(of: connection.number), LogField("user", .text(user.text)), LogField("by", .text(caller.text))])
  }

  // MARK: - The loop

  /// A timer that runs so late is worth a line: everybody on the loop waited, milliseconds.
  static let stallMs: UInt64 = 1_000

  func reportStall(_ milliseconds: UInt64) {
    services.log.log(
      .warn, "loop stalled", "everybody on it waited",
      [LogField("loop", .integer(Int64(index))), LogField("milliseconds", .integer(Int64(clamping: milliseconds)))])
  }

  /// A connection's name in `hello` and in the log.
  func name(of connection: UInt64) -> LogField { LogField("connection", .text("\(index).\(connection)")) }
}

extension SessionCounts.Kind {
  fileprivate init(_ kind: Caller.Kind) {
    switch kind {
    case .user: self = .user
    case .bot: self = .bot
    case .app: self = .app
    case .guest: self = .guest
    }
  }
}
