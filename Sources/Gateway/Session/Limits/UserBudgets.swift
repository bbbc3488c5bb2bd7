import ChatModel
import Locks
import Queues

/// The budgets of all users with an open session, found once when a session opens and given back when it ends.
///
/// In stripes with a lock each, so that a reconnect storm does not queue at one. A budget outlives its last session for as long as it may
/// differ from a new one: who reconnects finds the budget as it was.
final class UserBudgets: Sendable {
  private struct Entry {
    let budget: UserBudget
    var holders = 0
    /// When it is as good as a new one, where nobody holds it.
    var rested: UInt64 = 0
  }

  /// A user without a session, and when nothing is left to remember.
  private struct Resting {
    let user: UserID
    let until: UInt64
  }

  private struct Stripe {
    var entries: [UserID: Entry] = [:]
    /// In the order of their times, which is that of their arrival.
    var resting = FIFO<Resting>()

    mutating func forget(at now: UInt64) {
      while let next = resting.first, next.until <= now {
        resting.popFirst()
        // Somebody may have come back, or come back and gone again.
        if let entry = entries[next.user], entry.holders == 0, entry.rested <= now { entries[next.user] = nil }
      }
    }
  }

  /// The rate of every budget; nil where there is no limit.
  let rate: OperationRate?
  private let stripes: [Lock<Stripe>]

  /// Makes an empty table.
  init(rate: OperationRate?, stripes: Int = 16) {
    self.rate = rate
    self.stripes = (0..<max(1, stripes)).map { _ in Lock(Stripe()) }
  }

  /// How many budgets are remembered.
  var count: Int { stripes.reduce(0) { $0 + $1.withLock { $0.entries.count } } }

  /// A session of a user opens; nil where there is no limit.
  ///
  /// - Parameters:
  ///   - user: Whose session it is.
  ///   - now: Microseconds of the steady clock.
  func open(_ user: UserID, at now: UInt64) -> UserBudget? {
    guard rate != nil else { return nil }
    return stripe(of: user).withLock { stripe in
      stripe.forget(at: now)
      var entry = stripe.entries[user] ?? Entry(budget: UserBudget())
      entry.holders += 1
      stripe.entries[user] = entry
      return entry.budget
    }
  }

  /// A session of a user, which was opened here, ends.
  func close(_ user: UserID, at now: UInt64) {
    guard let rate else { return }
    stripe(of: user).withLock { stripe in
      stripe.forget(at: now)
      guard var entry = stripe.entries[user], entry.holders > 0 else { return }
      entry.holders -= 1
      entry.rested = now &+ rate.rest
      stripe.entries[user] = entry
      if entry.holders == 0 { stripe.resting.append(Resting(user: user, until: entry.rested)) }
    }
  }

  private func stripe(of user: UserID) -> Lock<Stripe> {
    stripes[Int(UInt(bitPattern: user.hashValue) % UInt(stripes.count))]
  }
}
