import TestSupport
import Testing
import Transport

@testable import Gateway

@Test func `only what is listed is believed`() throws {
  let proxies = TrustedProxies(["10.0.0.0/8", "192.0.2.1", "2001:db8::/32", "::ffff:198.51.100.7", "unix"])
  let rows: [(String, Bool)] = [
    ("10.9.9.9:1", true), ("11.0.0.1:1", false), ("192.0.2.1:1", true), ("192.0.2.2:1", false), ("[2001:db8::9]:1", true),
    ("[2001:db9::9]:1", false), ("198.51.100.7:1", true), ("[::ffff:10.0.0.1]:1", true), ("unix:/s", true), ("127.0.0.1:1", false),
  ]
  for (text, isTrusted) in rows { expectEqual(proxies.contains(try SocketAddress.parse(text)), isTrusted, text) }
  let nobody = TrustedProxies()
  for (text, _) in rows { expect(!nobody.contains(try SocketAddress.parse(text)), "\(text) without a list") }
  expect(!TrustedProxies(["10.0.0.0/8"]).contains(.unix("")), "a unix socket only where it is listed")
}
