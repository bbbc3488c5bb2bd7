import TestSupport
import Testing
import Transport

@Test func `a network holds the addresses that begin with its bits`() throws {
  let cases: [(network: String, address: String, isInside: Bool)] = [
    ("10.1.2.3", "10.1.2.3:80", true), ("10.1.2.3", "10.1.2.4:80", false),
    ("10.0.0.0/8", "10.255.0.1:1", true), ("10.0.0.0/8", "11.0.0.1:1", false), ("10.128.0.0/9", "10.127.0.1:1", false),
    ("0.0.0.0/0", "1.2.3.4:5", true), ("0.0.0.0/0", "[::1]:5", false),
    ("2001:DB8::1", "[2001:db8::1]:80", true), ("2001:db8::/32", "[2001:db8:ffff::9]:80", true),
    ("2001:db8::/32", "[2001:db9::9]:80", false), ("2001:db8::/96", "[2001:db8::1:2]:80", true),
    ("2001:db8::/96", "[2001:db8::1:0:2]:80", false), ("::/0", "[2001:db8::1]:80", true),
    ("10.0.0.0/8", "unix:/run/parley.sock", false), ("::ffff:10.0.0.1", "10.0.0.1:80", true), ("::ffff:10.0.0.1", "10.0.0.2:80", false),
    ("::ffff:10.0.0.0/104", "10.9.9.9:80", true), ("::ffff:10.0.0.0/104", "11.0.0.1:80", false), ("::ffff:0:0/96", "1.2.3.4:5", true),
    ("::ffff:0:0/95", "1.2.3.4:5", false), ("10.0.0.1", "[::ffff:10.0.0.1]:80", true),
  ]
  for test in cases {
    let network = try #require(Network(test.network), "\(test.network)")
    expectEqual(network.contains(try SocketAddress.parse(test.address)), test.isInside, "\(test.address) in \(test.network)")
  }
  let wrong = [
    "", "10.0.0", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/x", "10.0.0.0/", "10.0.0.0/+8", "10.0.0.0/08", "::/129", "localhost", "unix:/x",
  ]
  for text in wrong {
    expect(Network(text) == nil, "\(text) is none")
  }
}
