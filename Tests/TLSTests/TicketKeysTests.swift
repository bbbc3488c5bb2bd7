import TestSupport
import Testing

@testable import TLS

@Test func `keys change when their time has come, also where the clock went back`() throws {
  let client = try TLSContext(trusting: .anybody)
  let life = TicketKeys.lifetime
  // Where a ticket of the first key stands after looks at these times.
  let cases: [([Int64], Bool)] = [
    ([], true), ([1_000], true), ([1_000 + life - 1], true), ([1_000 + life], true), ([1_000 + life, 1_000 + 2 * life], false),
    ([1_000 + 2 * life], false), ([1_000 + life, 1_000 + life, 1_001 + life], true), ([999], true), ([999, 998], false),
  ]
  for (times, isTaken) in cases {
    let keys = TicketKeys(now: 1_000)
    let server = try TLSContext.server(tickets: keys)
    var first = try TLSPair(client, server)
    first.carry()
    for time in times { keys.rotate(now: time) }
    var second = try TLSPair(client, server, resuming: first.client.session.ticket)
    second.carry()
    expectEqual(second.server.session.isResumed, isTaken, "\(times)")
    expectEqual(second.server.session.isEstablished, true, "\(times)")
  }
}
