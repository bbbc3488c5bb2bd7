import ChatModel
import GatewayProtocol
import Observability
import Transport

// The limit of operations.
extension ChatSession {
  /// Takes one call from the budgets, whatever it is; returns the error for one too many.
  ///
  /// Who goes on for too long is cut off: then the session is over.
  func spend(at now: UInt64, _ connection: Connection, on loop: isolated EventLoop) -> RPCError? {
    switch budget.take(at: now) {
    case .admitted: return nil
    case .refused(let retryAfterMs, let owner):
      count(owner)
      return RPCError(ChatError(.rateLimited, Self.sentence(of: owner), retryAfterMs: retryAfterMs))
    case .abused(let owner):
      count(owner)
      close(.rateLimitAbused, .rateLimited, connection, on: loop)
      return RPCError(ChatError(.rateLimited, "The rate limit was ignored for too long"))
    }
  }

  /// Refuses a call that is over the limit; a notification is dropped.
  func refuse(_ call: WaitingCall, _ error: RPCError, _ connection: Connection, on loop: isolated EventLoop) {
    if call.call.id == nil { hub.context.metrics.limits.droppedNotifications &+= 1 }
    finish(call, .failure(error), connection, on: loop)
  }

  private func count(_ owner: CallBudget.Owner) {
    switch owner {
    case .connection: hub.context.metrics.limits.refusedByConnection &+= 1
    case .user: hub.context.metrics.limits.refusedByUser &+= 1
    }
  }

  private static func sentence(of owner: CallBudget.Owner) -> String {
    switch owner {
    case .connection: "Too many calls come on this connection; try again later"
    case .user: "Too many calls come from this user; try again later"
    }
  }

  // MARK: - The user's budget

  /// The session is open: its calls count for the user too.
  ///
  /// A guest is a user for each session that wants to be one, so a budget of theirs would limit nobody.
  func takeUserBudget(of caller: Caller) {
    guard caller.kind != .guest else { return }
    budget.user = hub.services.userBudgets.open(caller.user, at: SteadyClock.microseconds())
  }

  /// The session is over.
  func giveBackUserBudget() {
    guard budget.user != nil, let user = machine.user else { return }
    budget.user = nil
    hub.services.userBudgets.close(user, at: SteadyClock.microseconds())
  }
}
