/// How much one connection may have inflated: who sends 149 bytes that become 128 KiB pays for none of the work with bandwidth.
///
/// Only what comes out beyond what was sent counts. A generic cell rate algorithm, as ``OperationRate``: whoever is ahead of the rate by more
/// than a burst is not read until that is over; nobody is refused anything.
struct InflateBudget: Equatable {
  /// How many seconds' worth may be inflated at once.
  static let burstSeconds: UInt64 = 2

  /// When the budget would be whole again, microseconds of the loop's clock.
  private var cell: UInt64 = 0
  /// Whether nothing is to be read until the time that `inflated` told is over.
  private(set) var isWaiting = false

  /// A message was inflated.
  ///
  /// - Parameters:
  ///   - bytes: What came out.
  ///   - wire: What was sent.
  ///   - now: Milliseconds of the loop's clock.
  ///   - perSecond: The rate in bytes; 0 for none.
  /// - Returns: After how many milliseconds reading goes on; nil where it need not stop.
  mutating func inflated(_ bytes: Int, from wire: Int, at now: UInt64, perSecond: Int) -> UInt64? {
    guard perSecond > 0, bytes > wire else { return nil }
    let cost = UInt64(clamping: bytes - wire).multipliedReportingOverflow(by: 1_000_000)
    guard !cost.overflow else { return nil }
    let time = now &* 1_000
    cell = max(cell, time) &+ cost.partialValue / UInt64(clamping: perSecond)
    let ahead = cell &- time
    let burst = Self.burstSeconds * 1_000_000
    guard ahead > burst else { return nil }
    isWaiting = true
    return (ahead - burst) / 1_000 + 1
  }

  /// The time is over.
  mutating func waited() { isWaiting = false }
}
