import Locks
import TestSupport
import Testing

@testable import TLS

@Test func `keys change when their time has come, also where the clock went back`() throws {
  let client = try TLSContext.client(trusting: .anybody)
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

@Test func `without a key there are no tickets, and handshakes go on; when there is randomness again there are some`() throws {
  let hasRandomness = Lock(false)
  let keys = TicketKeys(now: 0, random: { count in hasRandomness.withLock { $0 } ? [UInt8](repeating: 7, count: count) : nil })
  let server = try TLSContext.server(tickets: keys)
  for (now, hasTicket) in [(Int64(1), false), (2, true)] {
    hasRandomness.withLock { $0 = hasTicket }
    keys.rotate(now: now)
    for version in TLSVersion.allCases {
      var pair = try TLSPair(TLSContext.client(trusting: .anybody, newest: version), server)
      pair.carry()
      pair.client.send([1, 2, 3])
      pair.carry()
      expectEqual(pair.server.plaintext, [1, 2, 3], "\(version): it works")
      expectEqual([pair.client.state, pair.server.state], [.needsInput, .needsInput], "\(version): nobody complains")
      expectEqual(pair.client.session.ticket?.isResumable ?? false, hasTicket, "\(version): a ticket")
      // An empty ticket is one message more; TLS 1.2 knows it (RFC 5077 §3.3), TLS 1.3 does not (RFC 8446 §4.6.1).
      expectEqual(pair.client.session.lent.pointee.messages, hasTicket || version == .v12 ? 6 : 5, "\(version): messages from the server")
    }
  }
}
