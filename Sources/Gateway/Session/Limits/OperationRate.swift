/// How many operations a second are let in, and how many of them at once.
///
/// A generic cell rate algorithm (ITU-T I.371, appendix A): all that is kept of the past is one number, the time at which the budget would
/// be whole again (its cell), so that one atomic word is a budget. All times are microseconds of one steady clock.
struct OperationRate: Hashable, Sendable {
  /// What becomes of an operation.
  enum Verdict: Equatable {
    /// It is let in; the budget's cell is this from now on.
    case admitted(cell: UInt64)
    /// It is not; after this many microseconds it would be.
    case refused(wait: UInt64)
  }

  /// Operations in a second.
  let perSecond: Int
  /// Microseconds that one operation costs.
  let interval: UInt64
  /// How far a cell may be ahead of now, microseconds: the cost of a burst.
  private let tolerance: UInt64

  /// Makes a rate; nil where there is none.
  ///
  /// - Parameters:
  ///   - perSecond: Operations in a second, up to a million; 0 for no limit.
  ///   - burst: Operations that a rested budget lets in at once, at least 1.
  init?(perSecond: Int, burst: Int) {
    guard perSecond > 0 else { return nil }
    self.perSecond = perSecond
    interval = UInt64(max(1, 1_000_000 / perSecond))
    tolerance = interval &* UInt64(clamping: min(max(1, burst), 10_000_000))
  }

  /// Decides on one operation by the budget's cell, which is 0 at first.
  func decide(_ cell: UInt64, at now: UInt64) -> Verdict {
    let next = max(cell, now) &+ interval
    let ahead = next &- now
    return ahead <= tolerance ? .admitted(cell: next) : .refused(wait: ahead &- tolerance)
  }

  /// When an operation that was refused may come again: each a turn behind the one that was refused before it.
  ///
  /// With one time for all, those who keep to it would come back together and be refused together, again and again.
  ///
  /// - Parameters:
  ///   - last: The turn that was given out last, 0 at first; the answer takes its place.
  ///   - wait: What `decide` said, microseconds.
  func turn(behind last: UInt64, after wait: UInt64, at now: UInt64) -> UInt64 {
    let turn = max(now &+ wait, last &+ interval)
    return min(turn, now &+ max(wait, Self.maxWait))
  }

  /// No turn is farther away, microseconds: who has so many calls refused at once may ask again for the rest.
  static let maxWait: UInt64 = 10_000_000
}
