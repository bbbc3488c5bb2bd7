import TestSupport
import Testing

@testable import Gateway

@Suite struct AdmissionCountsTests {
  @Test func `so many sockets are within the limit, and each that ends makes room for one`() {
    var counts = AdmissionCounts(maxConnections: 2, maxPerNetwork: 0)
    expectEqual([counts.opened(), counts.opened(), counts.opened(), counts.opened()], [true, true, false, false], "two")
    counts.closed()
    expectEqual([counts.opened(), counts.opened()], [true, false], "one more")
    expectEqual(counts.connections, 2, "counted")
    for _ in 0..<5 { counts.closed() }
    expectEqual(counts.connections, 0, "never below zero")
    var unlimited = AdmissionCounts(maxConnections: 0, maxPerNetwork: 0)
    expect((0..<1_000).allSatisfy { _ in unlimited.opened() }, "0 is no limit")
  }

  @Test func `so many clients of a network are admitted, and nobody is remembered who is gone`() {
    var counts = AdmissionCounts(maxConnections: 0, maxPerNetwork: 2)
    let (ann, bea) = (ClientNetwork.ipv4(1), ClientNetwork.ipv6(prefix: 1))
    expectEqual([counts.admitted(ann), counts.admitted(ann), counts.admitted(ann)], [true, true, false], "two of one")
    expectEqual([counts.admitted(bea), counts.admitted(bea), counts.admitted(bea)], [true, true, false], "another is not disturbed")
    counts.left(ann)
    expectEqual([counts.admitted(ann), counts.admitted(ann)], [true, false], "room for one")
    for _ in 0..<2 { counts.left(ann) }
    expectEqual(counts.networks, 1, "forgotten")
    counts.left(ann)
    expectEqual(
      [counts.admitted(ann), counts.admitted(ann), counts.admitted(ann)], [true, true, false], "an end told twice gives nothing away")
    for number in 0..<10_000 as Range<UInt32> {
      let network = ClientNetwork.ipv4(1_000 + number)
      _ = counts.admitted(network)
      counts.left(network)
    }
    expectEqual(counts.networks, 2, "the table is as long as there are clients")
  }
}
