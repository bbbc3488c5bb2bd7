import HTTPProtocol
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct RequestRouteTests {
  private static let proxies = TrustedProxies(["10.0.0.0/8", "unix"])

  private static func route(
    _ peer: String, _ fields: [(String, String)], _ header: ProxyHeader? = nil, isEncrypted: Bool = false, host: String = "inner:8080"
  ) throws -> RequestRoute {
    var path = ClientPath(peer: peer == "unix:" ? .unix("") : try SocketAddress.parse(peer))
    if let header { path.received(header) }
    let head = RequestHead(target: "/ws", host: host, fields: fields.map { HeaderField($0.0, $0.1) })
    return try RequestRoute(head, by: path, trusting: proxies, isEncrypted: isEncrypted)
  }

  @Test func `the client is who a trusted proxy says, and nobody else's word counts`() throws {
    let ann = ProxyHeader(source: .client(.ipv4(0xC000_0201), port: 7))
    let inner = ProxyHeader(source: .client(.ipv4(0x0A00_0009), port: 7))
    let rows: [(peer: String, [(String, String)], ProxyHeader?, client: String, isForwarded: Bool, isVouchedFor: Bool)] = [
      ("203.0.113.5:1", [], nil, "203.0.113.5:1", false, false), ("127.0.0.1:1", [], nil, "127.0.0.1:1", false, false),
      ("203.0.113.5:1", [("X-Forwarded-For", "6.6.6.6")], nil, "203.0.113.5:1", true, false),
      ("203.0.113.5:1", [("Forwarded", "for=6.6.6.6")], nil, "203.0.113.5:1", true, false),
      ("203.0.113.5:1", [("Forwarded", "for=6.6.6.6"), ("X-Forwarded-For", "7.7.7.7")], nil, "203.0.113.5:1", true, false),
      ("10.0.0.1:1", [], nil, "10.0.0.1:1", true, false), ("10.0.0.1:1", [("Via", "1.1 x")], nil, "10.0.0.1:1", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "203.0.113.5")], nil, "203.0.113.5:0", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "6.6.6.6, 203.0.113.5, 10.0.0.2")], nil, "203.0.113.5:0", true, true),
      ("10.0.0.1:1", [("Forwarded", "for=\"[2001:db8::1]:99\"")], nil, "[2001:db8::1]:99", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "127.0.0.1")], nil, "127.0.0.1:0", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "unknown")], nil, "10.0.0.1:1", true, true),
      ("unix:", [("X-Forwarded-For", "203.0.113.5")], nil, "203.0.113.5:0", true, true), ("unix:", [], nil, "unix:", true, false),
      ("10.0.0.1:1", [], ann, "192.0.2.1:7", true, true), ("10.0.0.1:1", [("X-Forwarded-For", "6.6.6.6")], ann, "192.0.2.1:7", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "203.0.113.5")], inner, "203.0.113.5:0", true, true),
      // Behind a proxy that names nobody the fields are the client's own.
      ("10.0.0.1:1", [("X-Forwarded-For", "203.0.113.5")], ProxyHeader(source: .unknown), "10.0.0.1:1", true, true),
      (
        "10.0.0.1:1", [("Forwarded", "for=6.6.6.6"), ("X-Forwarded-For", "7.7.7.7")], ProxyHeader(source: .unknown), "10.0.0.1:1", true,
        true
      ),
      ("unix:", [("X-Forwarded-For", "203.0.113.5")], ProxyHeader(source: .unknown), "unix:", true, true),
      ("10.0.0.1:1", [("X-Forwarded-For", "203.0.113.5")], ProxyHeader(source: .proxy), "10.0.0.1:1", true, true),
      ("10.0.0.1:1", [], ProxyHeader(source: .proxy), "10.0.0.1:1", true, true),
    ]
    for (peer, fields, header, client, isForwarded, isVouchedFor) in rows {
      let route = try Self.route(peer, fields, header)
      let name = "\(peer) \(fields) \(String(describing: header))"
      expectEqual(route.client.description, client, name)
      expectEqual([route.isForwarded, route.isVouchedFor], [isForwarded, isVouchedFor], name)
    }
    do {
      _ = try Self.route("10.0.0.1:1", [("Forwarded", "for=6.6.6.6"), ("X-Forwarded-For", "7.7.7.7")])
      expect(false, "two clients")
    } catch { expect(error is ForwardedRoute.Conflict, "two clients: \(error)") }
    let stranger = try RequestRoute(
      RequestHead(target: "/", host: "h"), by: ClientPath(peer: .unix("")), trusting: TrustedProxies(), isEncrypted: false)
    expectEqual([stranger.isForwarded, stranger.isVouchedFor], [true, false], "a unix socket that is not listed")
  }

  @Test func `a client is known that asks itself or that a trusted proxy names`() throws {
    let ann = ProxyHeader(source: .client(.ipv4(0xC000_0201), port: 7))
    let inner = ProxyHeader(source: .client(.ipv4(0x0A00_0009), port: 7))
    let rows: [(peer: String, field: String?, ProxyHeader?, isKnown: Bool)] = [
      ("203.0.113.5:1", nil, nil, true), ("127.0.0.1:1", nil, nil, true), ("203.0.113.5:1", "6.6.6.6", nil, false),
      ("127.0.0.1:1", "6.6.6.6", nil, false), ("10.0.0.1:1", nil, nil, false), ("10.0.0.1:1", "203.0.113.5", nil, true),
      ("10.0.0.1:1", "unknown", nil, false), ("10.0.0.1:1", "unknown, 10.0.0.2", nil, false), ("10.0.0.1:1", "10.0.0.2", nil, false),
      ("unix:", nil, nil, false), ("unix:", "203.0.113.5", nil, true), ("10.0.0.1:1", nil, ann, true),
      ("10.0.0.1:1", "6.6.6.6", ann, false),
      ("10.0.0.1:1", nil, inner, false), ("10.0.0.1:1", "203.0.113.5", inner, true),
      ("10.0.0.1:1", nil, ProxyHeader(source: .unknown), false), ("10.0.0.1:1", "203.0.113.5", ProxyHeader(source: .proxy), false),
    ]
    for (peer, field, header, isKnown) in rows {
      let route = try Self.route(peer, field.map { [("X-Forwarded-For", $0)] } ?? [], header)
      expectEqual(route.isClientKnown, isKnown, "\(peer) \(field ?? "") \(String(describing: header))")
    }
    let stranger = try RequestRoute(
      RequestHead(target: "/", host: "h"), by: ClientPath(peer: .unix("")), trusting: TrustedProxies(), isEncrypted: false)
    expect(!stranger.isClientKnown, "a unix socket that is not listed")
  }

  @Test func `this machine asks itself straight and by a name of its own`() throws {
    let rows: [(peer: String, host: String, [(String, String)], isOwn: Bool)] = [
      ("127.0.0.1:1", "localhost:8080", [], true), ("127.0.0.1:1", "127.0.0.1", [], true), ("[::1]:1", "[::1]:8080", [], true),
      ("127.0.0.1:1", "evil.example", [], false), ("127.0.0.1:1", "evil.example:8080", [], false), ("127.0.0.1:1", "", [], false),
      ("127.0.0.1:1", "localhost", [("Via", "1.1 x")], false), ("203.0.113.5:1", "localhost", [], false), ("unix:", "localhost", [], false),
    ]
    for (peer, host, fields, isOwn) in rows {
      expectEqual(try Self.route(peer, fields, host: host).isOfThisMachine, isOwn, "\(peer) \(host) \(fields)")
    }
  }

  @Test func `the own origin is the one that the client asked`() throws {
    let tls = ProxyHeader(source: .client(.ipv4(1), port: 1), isSecure: true)
    let plain = ProxyHeader(source: .client(.ipv4(1), port: 1), isSecure: false)
    let both = [("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "chat.example")]
    let rows: [(peer: String, [(String, String)], ProxyHeader?, isEncrypted: Bool, origin: String)] = [
      ("203.0.113.5:1", [], nil, false, "http://inner:8080"), ("203.0.113.5:1", [], nil, true, "https://inner:8080"),
      ("203.0.113.5:1", both, nil, false, "http://inner:8080"),
      ("203.0.113.5:1", [("X-Forwarded-Proto", "http")], nil, true, "https://inner:8080"),
      ("10.0.0.1:1", both, nil, false, "https://chat.example"), ("10.0.0.1:1", [both[0]], nil, false, "https://inner:8080"),
      ("10.0.0.1:1", [("X-Forwarded-Proto", "http")], nil, true, "http://inner:8080"),
      ("10.0.0.1:1", [("Forwarded", "proto=https;host=chat.example")], nil, false, "https://chat.example"),
      ("10.0.0.1:1", [], tls, false, "https://inner:8080"), ("10.0.0.1:1", [], plain, false, "http://inner:8080"),
      ("10.0.0.1:1", both, ProxyHeader(source: .unknown), false, "http://inner:8080"),
      ("10.0.0.1:1", [], plain, true, "https://inner:8080"), ("10.0.0.1:1", both, plain, false, "http://inner:8080"),
    ]
    for (peer, fields, header, isEncrypted, origin) in rows {
      let route = try Self.route(peer, fields, header, isEncrypted: isEncrypted)
      expectEqual(route.ownOrigin, origin, "\(peer) \(fields) \(String(describing: header)) \(isEncrypted)")
    }
  }
}
