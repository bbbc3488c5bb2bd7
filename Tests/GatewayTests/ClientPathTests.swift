import HTTPProtocol
import TestSupport
import Testing
import Transport

@testable import Gateway

@Test func `a PROXY header names the client, or leaves the proxy in its place`() throws {
  let rows: [(ProxyHeader, end: String, isSecure: Bool)] = [
    (ProxyHeader(source: .client(.ipv4(0xC000_0201), port: 7), isSecure: true), "192.0.2.1:7", true),
    (ProxyHeader(source: .client(.ipv6(high: 0x2001_0DB8_0000_0000, low: 1), port: 0)), "[2001:db8::1]:0", false),
    (ProxyHeader(source: .unknown, isSecure: false), "10.0.0.1:5", false), (ProxyHeader(source: .proxy), "10.0.0.1:5", false),
  ]
  for (header, end, isSecure) in rows {
    var path = ClientPath(peer: try SocketAddress.parse("10.0.0.1:5"))
    expect(!path.isProxied && !path.isSecure && path.end.description == "10.0.0.1:5", "before")
    path.received(header)
    expectEqual(path.end.description, end, "\(header)")
    expectEqual([path.isProxied, path.isSecure, path.isAnonymous], [true, isSecure, end == "10.0.0.1:5"], "\(header)")
  }
}
