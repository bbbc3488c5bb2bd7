/// Says when a body or an answer takes too long: nothing moved for a while, or all of it is slower than any line.
struct TransferPace: Equatable {
  /// Milliseconds without a byte.
  static let idleMs: UInt64 = 20_000
  /// Milliseconds on top of what the bytes may take.
  private static let graceMs: UInt64 = 30_000
  /// The least that a client has to manage on average.
  private static let bytesPerSecond: UInt64 = 16_384

  private let deadline: UInt64
  private var idleDeadline: UInt64

  /// Begins now.
  ///
  /// - Parameters:
  ///   - bytes: How many are to move.
  ///   - now: Milliseconds of the loops' clock.
  init(bytes: Int64, now: UInt64) {
    let needed = UInt64(max(0, bytes)) / Self.bytesPerSecond
    deadline = now &+ Self.graceMs &+ needed.multipliedReportingOverflow(by: 1_000).partialValue
    idleDeadline = now &+ Self.idleMs
  }

  /// Bytes moved, or nobody but us was waited for until now.
  mutating func moved(at now: UInt64) { idleDeadline = now &+ Self.idleMs }

  /// When to look again; nil where it is over.
  func nextCheck(at now: UInt64) -> UInt64? {
    let next = min(deadline, idleDeadline)
    return now < next ? next : nil
  }
}
