/// What one connection may still ask for: its own budget, and that of its user once the session is open.
struct CallBudget {
  /// What becomes of a call.
  enum Verdict: Equatable {
    case admitted
    /// Answer with 109; after so many milliseconds the call would be let in.
    case refused(retryAfterMs: Int, by: Owner)
    /// The limit was ignored for too long: close with 4101.
    case abused(by: Owner)
  }

  /// Whose budget was used up.
  enum Owner: Equatable { case connection, user }

  private let rate: OperationRate?
  private var cell: UInt64 = 0
  private var lastTurn: UInt64 = 0
  private var refusals = RefusalTally()
  /// The budget of the connection's user; guests have none, as they are as many as they like to be.
  var user: UserBudget?

  /// Makes a whole budget; nil for no limit.
  init(rate: OperationRate?) { self.rate = rate }

  /// A call arrived, whatever it is; `now` is microseconds of the steady clock.
  mutating func take(at now: UInt64) -> Verdict {
    guard let rate else { return .admitted }
    switch rate.decide(cell, at: now) {
    case .refused(let wait):
      lastTurn = rate.turn(behind: lastTurn, after: wait, at: now)
      return refuse(until: lastTurn, by: .connection, at: now, rate)
    case .admitted(let next):
      if let user, case .refused(let until) = user.take(at: now, by: rate) { return refuse(until: until, by: .user, at: now, rate) }
      cell = next
      return .admitted
    }
  }

  private mutating func refuse(until turn: UInt64, by owner: Owner, at now: UInt64, _ rate: OperationRate) -> Verdict {
    let isAbusedHere = refusals.refused(at: now, by: rate)
    let isAbused = user?.refused(at: now, by: rate) ?? false
    if isAbusedHere || isAbused { return .abused(by: owner) }
    let wait = turn > now ? turn - now : 0
    // Rounded up: after that time the call is let in, not just before.
    return .refused(retryAfterMs: Int(clamping: max(1, (wait + 999) / 1_000)), by: owner)
  }
}
