/// Tells who goes on although calls are refused from who sent too much once, by counting bad seconds in one word.
///
/// A second is bad when more than `OperationRate.perSecond` times `maxRefusedShare` calls are refused in it. Every other one takes a bad
/// one back. Who keeps to `retryAfterMs` has at most about one call refused for each that is let in, so never has bad seconds in a row.
struct RefusalTally: Equatable {
  /// How many calls may be refused for each that the rate lets in.
  static let maxRefusedShare = 2
  /// With so many bad seconds it is abuse (`docs/limits.md`, Operations).
  static let maxBadSeconds: UInt64 = 10

  /// The whole tally: the second it is about (32 bits), the calls refused in it (24), the bad seconds (8).
  var bits: UInt64 = 0

  private var second: UInt32 { UInt32(truncatingIfNeeded: bits >> 32) }
  private var count: UInt64 { bits >> 8 & 0xFF_FFFF }
  private var badSeconds: UInt64 { bits & 0xFF }

  /// When it is as good as a new one if no call is refused until then: microseconds, 0 for now.
  func forgotten(at now: UInt64, by rate: OperationRate) -> UInt64 {
    guard bits != 0 else { return 0 }
    let most = UInt64(clamping: rate.perSecond) &* UInt64(Self.maxRefusedShare)
    let current = now / 1_000_000
    let passed = Int64(Int32(bitPattern: UInt32(truncatingIfNeeded: current) &- second))
    // The second itself ends first; a bad one forgives none.
    let left = Int64(max(1, badSeconds + (count > most ? 1 : 0))) - passed
    return left > 0 ? (current &+ UInt64(left)) &* 1_000_000 : 0
  }

  /// A call was refused; says whether that is abuse.
  ///
  /// - Parameter now: Microseconds of a steady clock; another loop's may be a little behind.
  mutating func refused(at now: UInt64, by rate: OperationRate) -> Bool {
    let most = UInt64(clamping: rate.perSecond) &* UInt64(Self.maxRefusedShare)
    let current = UInt32(truncatingIfNeeded: now / 1_000_000)
    let passed = Int32(bitPattern: current &- second)
    var (count, bad) = (count, badSeconds)
    if passed > 0 {
      let forgiven = UInt64(passed) - (count > most ? 1 : 0)
      bad = bad > forgiven ? bad - forgiven : 0
      count = 0
    }
    count = min(count + 1, 0xFF_FFFF)
    if count == most + 1 { bad = min(bad + 1, Self.maxBadSeconds) }
    bits = UInt64(passed > 0 ? current : second) << 32 | count << 8 | bad
    return bad >= Self.maxBadSeconds
  }
}
