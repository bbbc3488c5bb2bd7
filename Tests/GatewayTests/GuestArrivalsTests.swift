import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct GuestArrivalsTests {
  private static func ipv4(_ bits: UInt32, port: UInt16 = 1) -> SocketAddress { .ipv4(IPv4Address(bits: bits), port: port) }

  private static func ipv6(_ high: UInt64, _ low: UInt64 = 1) -> SocketAddress {
    .ipv6(IPv6Address(high: high, low: low), port: 1, scope: 0)
  }

  @Test func `twenty guests of an address are let in within a minute`() {
    var arrivals = GuestArrivals()
    for number in 0..<20 as Range<UInt64> {
      expectEqual(arrivals.arrived(from: Self.ipv4(1, port: UInt16(number)), at: 1_000 + number * 100), nil, "guest \(number)")
    }
    let cases: [(String, SocketAddress, UInt64, UInt64?)] = [
      ("one too many", Self.ipv4(1), 3_000, 58_000), ("another address", Self.ipv4(2), 3_000, nil),
      ("IPv6 is not IPv4", Self.ipv6(1), 3_000, nil), ("a refused one does not count", Self.ipv4(1), 60_999, 1),
      ("the first is a minute ago", Self.ipv4(1), 61_000, nil), ("the second is not", Self.ipv4(1), 61_000, 100),
      ("a clock that is behind", Self.ipv4(1), 0, 60_000), ("a clock at its end", Self.ipv4(1), .max, nil),
    ]
    for (name, address, tick, wait) in cases { expectEqual(arrivals.arrived(from: address, at: tick), wait, name) }
  }

  @Test func `an IPv6 network of 64 bits counts as one, a unix socket not at all`() {
    var arrivals = GuestArrivals()
    for low in 0..<20 as Range<UInt64> { expectEqual(arrivals.arrived(from: Self.ipv6(7, low), at: 5), nil, "\(low)") }
    expectEqual(arrivals.arrived(from: Self.ipv6(7, 99), at: 5), 60_000, "of the same network")
    expectEqual(arrivals.arrived(from: Self.ipv6(8, 99), at: 5), nil, "of the next")
    for _ in 0..<50 { expectEqual(arrivals.arrived(from: .unix(""), at: 5), nil, "a unix socket") }
    expectEqual(arrivals.count, 2, "two networks are remembered")
  }

  @Test func `old addresses are forgotten, and many of them do not fill the memory`() {
    var arrivals = GuestArrivals()
    _ = arrivals.arrived(from: Self.ipv4(1), at: 59_000)
    _ = arrivals.arrived(from: Self.ipv4(2), at: 60_000)
    expectEqual(arrivals.count, 2, "both")
    _ = arrivals.arrived(from: Self.ipv4(1), at: 61_000)
    expectEqual(arrivals.count, 2, "the one that came again is kept once")
    _ = arrivals.arrived(from: Self.ipv4(3), at: 120_000)
    expectEqual(arrivals.count, 3, "a minute is not over for the second")
    _ = arrivals.arrived(from: Self.ipv4(4), at: 180_000)
    expectEqual(arrivals.count, 2, "the first two are forgotten")
    _ = arrivals.arrived(from: Self.ipv4(4), at: 500_000)
    expectEqual(arrivals.count, 1, "all are")
    for number in 0..<UInt32(3 * GuestArrivals.maxOrigins) { _ = arrivals.arrived(from: Self.ipv4(number), at: 500_001) }
    expect(arrivals.count <= 2 * GuestArrivals.maxOrigins, "\(arrivals.count) are bounded")
    var busy = GuestArrivals()
    for tick in 0..<100 as Range<UInt64> { _ = busy.arrived(from: Self.ipv4(1), at: tick * 3_000) }
    expectEqual(busy.arrived(from: Self.ipv4(1), at: 99 * 3_000 + 2_999), 1, "a steady guest is counted through all generations")
  }
}
