import Transport

/// Counts the new guests of each address, of which only so many are let in a minute (`docs/opening.md`).
///
/// Addresses are kept in two generations, of which the older one is forgotten a minute after the newer one began, or when the newer
/// one is full: so memory is bounded, and nobody pays for a search.
struct GuestArrivals {
  /// How many new guests an address may have in `periodMs`.
  static let limit = 20
  static let periodMs: UInt64 = 60_000
  /// How many addresses a generation has at most.
  static let maxOrigins = 10_000

  /// When the last guests of an address came, at most `limit` of them, the earliest first.
  private var newer: [ClientNetwork: [UInt64]] = [:]
  private var older: [ClientNetwork: [UInt64]] = [:]
  private var newerSince: UInt64 = 0

  /// How many addresses are remembered.
  var count: Int { newer.count + older.count }

  /// A new guest came at a tick; returns nil when they may come in, else after how many milliseconds they may.
  ///
  /// Unix sockets have no address to count by.
  mutating func arrived(from address: SocketAddress, at tick: UInt64) -> UInt64? {
    guard let origin = ClientNetwork(address) else { return nil }
    forget(at: tick)
    var times = newer[origin] ?? older[origin] ?? []
    // Loops read their clocks at different times: one may be a little behind.
    times.removeAll { tick >= $0 && tick - $0 >= Self.periodMs }
    if times.count >= Self.limit, let first = times.first { return first &+ Self.periodMs &- max(tick, first) }
    times.append(max(tick, times.last ?? 0))
    if newer[origin] == nil, newer.count >= Self.maxOrigins { turn(at: tick) }
    older[origin] = nil
    newer[origin] = times
    return nil
  }

  private mutating func forget(at tick: UInt64) {
    guard tick >= newerSince, tick - newerSince >= Self.periodMs else { return }
    let isAllOld = tick - newerSince >= 2 * Self.periodMs
    turn(at: tick)
    if isAllOld { older = [:] }
  }

  private mutating func turn(at tick: UInt64) {
    older = newer
    newer = [:]
    newerSince = tick
  }
}
