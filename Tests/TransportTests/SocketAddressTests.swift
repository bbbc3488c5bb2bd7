import TestSupport
import Testing
import Transport

@Suite struct SocketAddressTests {
  @Test func `an address tells its text, its port and whether it is loopback`() {
    let cases: [(SocketAddress, String, UInt16?, Bool)] = [
      (.ipv4(IPv4Address(127, 0, 0, 1), port: 80), "127.0.0.1:80", 80, true),
      (.ipv4(IPv4Address(10, 0, 0, 1), port: 65535), "10.0.0.1:65535", 65535, false),
      (.ipv4(IPv4Address(bits: 0), port: 0), "0.0.0.0:0", 0, false),
      (.ipv6(IPv6Address(high: 0, low: 1), port: 81, scope: 0), "[::1]:81", 81, true),
      (.ipv6(IPv6Address(high: 0, low: 0), port: 81, scope: 0), "[::]:81", 81, false),
      (.ipv6(IPv6Address(high: 0xfe80 << 48, low: 1), port: 81, scope: 3), "[fe80::1%3]:81", 81, false),
      (.unix("/run/x.sock"), "unix:/run/x.sock", nil, false),
    ]
    for (address, text, port, isLoopback) in cases {
      expectEqual(address.description, text, text)
      expectEqual(address.port, port, text)
      expectEqual(address.isLoopback, isLoopback, text)
      expectEqual(try? SocketAddress.parse(text), address, "\(text) is read again")
    }
  }
}
