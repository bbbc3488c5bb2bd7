import TestSupport
import Testing
import Transport

@testable import Gateway

@Test func `an IPv4 address counts alone, an IPv6 address with its 64 bits, a unix socket not at all`() throws {
  let rows: [(String, ClientNetwork?)] = [
    ("192.0.2.1:1", .ipv4(0xC000_0201)), ("192.0.2.1:2", .ipv4(0xC000_0201)), ("[::ffff:192.0.2.1]:3", .ipv4(0xC000_0201)),
    ("[2001:db8:1:2::1]:1", .ipv6(prefix: 0x2001_0DB8_0001_0002)), ("[2001:db8:1:2:ffff::9]:1", .ipv6(prefix: 0x2001_0DB8_0001_0002)),
    ("[2001:db8:1:3::1]:1", .ipv6(prefix: 0x2001_0DB8_0001_0003)), ("[::1]:1", .ipv6(prefix: 0)), ("unix:/s", nil),
  ]
  for (text, network) in rows { expectEqual(ClientNetwork(try SocketAddress.parse(text)), network, text) }
}
