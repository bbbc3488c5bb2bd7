import HTTPProtocol
import TestSupport
import Testing
import Transport

@testable import Gateway

@Suite struct OriginPolicyTests {
  @Test func `hosts and origins are let in or refused`() throws {
    let cases: [(host: String, origins: [String], isLoopbackOnly: Bool, status: Int?)] = [
      ("localhost", [], true, nil), ("localhost:8080", [], true, nil), ("LOCALHOST:8080", [], true, nil), ("127.0.0.1:8080", [], true, nil),
      ("127.1.2.3", [], true, nil), ("[::1]:8080", [], true, nil), ("[::1]", [], true, nil),
      ("evil.example", [], true, 400), ("127.evil.example", [], true, 400), ("127.0.0.1.evil.example", [], true, 400), ("", [], true, 400),
      ("[::1", [], true, 400), ("[::2]", [], true, 400), ("128.0.0.1", [], true, 400), ("127.0.0.256", [], true, 400),
      ("127.0.0", [], true, 400), ("127.+1.0.1", [], true, 400), ("127.00.0.1", [], true, 400),
      ("localhost.evil.example", [], true, 400), ("[::1].evil.example", [], true, 400),
      ("app.example", [], true, nil), ("app.example", ["https://app.example"], true, nil), ("app.example:81", [], true, 400),
      ("evil.example", [], false, nil), ("chat.example", ["http://chat.example"], false, nil),
      ("chat.example", ["https://chat.example"], false, 403), ("chat.example:81", ["http://chat.example"], false, 403),
      ("chat.example", ["https://app.example"], false, nil), ("chat.example", ["https://APP.example"], false, 403),
      ("chat.example", ["https://app.example/"], false, 403), ("chat.example", ["null"], false, 403),
      ("chat.example", ["http://chat.example", "http://chat.example"], false, 400), ("localhost", ["http://localhost"], true, nil),
      ("localhost", ["http://evil.example"], true, 403), ("chat.example", [""], false, 403),
    ]
    for (host, origins, isLoopbackOnly, status) in cases {
      let policy = OriginPolicy(isLoopbackOnly: isLoopbackOnly, allowed: ["https://app.example"])
      let head = RequestHead(target: "/ws", host: host, fields: origins.map { HeaderField("origin", $0) })
      let route = try RequestRoute(head, by: ClientPath(peer: .unix("")), trusting: TrustedProxies(), isEncrypted: false)
      expectEqual(policy.refusal(of: head, by: route)?.status, status, "\(host) \(origins) \(isLoopbackOnly)")
    }
  }

  @Test func `what a trusted proxy tells of scheme and host counts, and what others tell does not`() throws {
    let tls = [HeaderField("X-Forwarded-Proto", "https")]
    let renamed = tls + [HeaderField("X-Forwarded-Host", "chat.example")]
    let cases: [(isTrusted: Bool, host: String, origin: String, [HeaderField], isEncrypted: Bool, status: Int?)] = [
      (true, "chat.example", "https://chat.example", tls, false, nil), (true, "chat.example", "http://chat.example", tls, false, 403),
      (true, "chat.example", "http://chat.example", [], false, 400), (true, "inner", "https://chat.example", renamed, false, nil),
      (true, "inner", "https://inner", renamed, false, 403), (true, "chat.example:81", "https://chat.example", tls, false, 403),
      (false, "chat.example", "https://chat.example", tls, false, 400), (false, "localhost", "https://localhost", tls, false, 403),
      (false, "localhost", "https://chat.example", renamed, false, 403), (false, "localhost", "https://localhost", [], true, nil),
      (false, "localhost", "http://localhost", [], true, 403), (true, "evil.example", "https://evil.example", [], false, 400),
    ]
    for (isTrusted, host, origin, fields, isEncrypted, status) in cases {
      let head = RequestHead(target: "/ws", host: host, fields: fields + [HeaderField("Origin", origin)])
      let proxies = TrustedProxies(isTrusted ? ["unix"] : [])
      let route = try RequestRoute(head, by: ClientPath(peer: .unix("")), trusting: proxies, isEncrypted: isEncrypted)
      let policy = OriginPolicy(isLoopbackOnly: true, allowed: [])
      expectEqual(policy.refusal(of: head, by: route)?.status, status, "\(isTrusted) \(host) \(origin) \(fields) \(isEncrypted)")
    }
  }

  @Test func `origins that look like one that is let in are not`() throws {
    let policy = OriginPolicy(
      isLoopbackOnly: false, allowed: ["https://allowed.example", "https://xn--bcher-kva.example", "https://Kelvin.example"])
    let cases: [(origins: [String], status: Int?)] = [
      (["https://allowed.example"], nil), ([], nil), (["https://allowed.example.evil.com"], 403),
      (["https://evil.com/allowed.example"], 403),
      (["https://evil.com?https://allowed.example"], 403), (["https://allowed.example@evil.com"], 403), (["http://allowed.example"], 403),
      (["https://allowed.example:443"], 403), (["https://allowed.example:8443"], 403), (["https://ALLOWED.example"], 403),
      (["HTTPS://allowed.example"], 403), (["https://allowed.example."], 403), (["https://allowed.example/"], 403), (["null"], 403),
      (["https://allowed.example", "https://allowed.example"], 400), (["https://allowed.example", "https://evil.com"], 400),
      (["https://evil.com", "https://allowed.example"], 400), (["https://allowed.example, https://evil.com"], 403),
      (["https://allowed.example https://evil.com"], 403), (["https://xallowed.example"], 403), (["https://sub.allowed.example"], 403),
      (["allowed.example"], 403), ([""], 403), (["*"], 403), (["https://b\u{FC}cher.example"], 403),
      (["https://bu\u{308}cher.example"], 403),
      (["https://xn--bcher-kva.example"], nil), (["https://xn--bcher-kva.evil.com"], 403), (["https://\u{212A}elvin.example"], 403),
      (["https://allowed.ex\u{430}mple"], 403), (["https://chat.example"], 403), (["http://chat.example"], nil),
    ]
    for (origins, status) in cases {
      let head = RequestHead(target: "/ws", host: "chat.example", fields: origins.map { HeaderField("Origin", $0) })
      let route = try RequestRoute(head, by: ClientPath(peer: .unix("")), trusting: TrustedProxies(), isEncrypted: false)
      expectEqual(policy.refusal(of: head, by: route)?.status, status, "\(origins)")
    }
  }
}
