import ChatModel
import Locks
import Queues

/// The budgets of all users with an open session, found once when a session opens and given back when it ends.
///
/// In stripes with a lock each, so that a reconnect storm does not queue at one. A budget outlives its last session for as long as it
/// differs from a new one: who reconnects finds the budget as it was.
final class UserBudgets: Sendable {
  private struct Entry {
    let budget: UserBudget
    var holders = 0
    /// Whether the user stands in the row of those who rest.
    var isQueued = false
  }

  private struct Stripe {
    var entries: [UserID: Entry] = [:]
    /// Users whose last session ended before their budget was as good as a new one, each once; those who came back drop out in their turn.
    var resting = FIFO<UserID>()

    /// Looks at some of those who rest in turn: at more than come, so the row goes round, however long each of them rests.
    mutating func forget(at now: UInt64, by rate: OperationRate) {
      for _ in 0..<UserBudgets.looks {
        guard let user = resting.popFirst() else { return }
        guard let entry = entries[user] else { continue }
        if entry.holders > 0 {
          entries[user]?.isQueued = false
        } else if entry.budget.rested(at: now, by: rate) <= now {
          entries[user] = nil
        } else {
          resting.append(user)
        }
      }
    }

    /// A session of a user ends.
    mutating func close(_ user: UserID, at now: UInt64, by rate: OperationRate) {
      guard var entry = entries[user], entry.holders > 0 else { return }
      entry.holders -= 1
      let isLast = entry.holders == 0 && !entry.isQueued
      if isLast, entry.budget.rested(at: now, by: rate) <= now {
        entries[user] = nil
        return
      }
      entry.isQueued = entry.isQueued || isLast
      entries[user] = entry
      if isLast { resting.append(user) }
    }
  }

  /// At how many of those who rest each opening and each end looks.
  private static let looks = 2

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

  /// How many places are taken in the rows of those who rest.
  var restingCount: Int { stripes.reduce(0) { $0 + $1.withLock { $0.resting.count } } }

  /// A session of a user opens; nil where there is no limit.
  ///
  /// - Parameters:
  ///   - user: Whose session it is.
  ///   - now: Microseconds of the steady clock.
  func open(_ user: UserID, at now: UInt64) -> UserBudget? {
    guard let rate else { return nil }
    return stripe(of: user).withLock { stripe in
      stripe.forget(at: now, by: rate)
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
      stripe.forget(at: now, by: rate)
      stripe.close(user, at: now, by: rate)
    }
  }

  private func stripe(of user: UserID) -> Lock<Stripe> {
    stripes[Int(UInt(bitPattern: user.hashValue) % UInt(stripes.count))]
  }
}
