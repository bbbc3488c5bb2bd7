import Synchronization

/// The operations of one user, shared by all the user's connections on all loops.
///
/// Three words, each changed by itself: a call costs one compare-and-swap more, on a line of memory that only this user's loops touch. A lock
/// would do as well for one user, but a user with a connection on each loop would make the loops wait for each other.
final class UserBudget: Sendable {
  /// What becomes of a call.
  enum Verdict: Equatable {
    case admitted
    /// It is refused; at this time, microseconds of the steady clock, it would not be.
    case refused(until: UInt64)
  }

  private let cell = Atomic<UInt64>(0)
  private let lastTurn = Atomic<UInt64>(0)
  private let refusals = Atomic<UInt64>(0)

  /// Takes one call from the budget where there is one left.
  func take(at now: UInt64, by rate: OperationRate) -> Verdict {
    var seen = cell.load(ordering: .relaxed)
    while true {
      switch rate.decide(seen, at: now) {
      case .refused(let wait): return .refused(until: turn(after: wait, at: now, by: rate))
      case .admitted(let next):
        let (isDone, original) = cell.compareExchange(expected: seen, desired: next, ordering: .relaxed)
        if isDone { return .admitted }
        seen = original
      }
    }
  }

  /// When it is as good as a new one, if nothing happens in between.
  func rested(at now: UInt64, by rate: OperationRate) -> UInt64 {
    let tally = RefusalTally(bits: refusals.load(ordering: .relaxed))
    return max(cell.load(ordering: .relaxed), lastTurn.load(ordering: .relaxed), tally.forgotten(at: now, by: rate))
  }

  private func turn(after wait: UInt64, at now: UInt64, by rate: OperationRate) -> UInt64 {
    var seen = lastTurn.load(ordering: .relaxed)
    while true {
      let turn = rate.turn(behind: seen, after: wait, at: now)
      let (isDone, original) = lastTurn.compareExchange(expected: seen, desired: turn, ordering: .relaxed)
      if isDone { return turn }
      seen = original
    }
  }

  /// A call of one of the user's connections was refused, by whichever budget; says whether the user abuses the limit.
  func refused(at now: UInt64, by rate: OperationRate) -> Bool {
    var seen = refusals.load(ordering: .relaxed)
    while true {
      var tally = RefusalTally(bits: seen)
      let isAbuse = tally.refused(at: now, by: rate)
      let (isDone, original) = refusals.compareExchange(expected: seen, desired: tally.bits, ordering: .relaxed)
      if isDone { return isAbuse }
      seen = original
    }
  }
}
