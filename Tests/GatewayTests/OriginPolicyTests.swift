import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct OriginPolicyTests {
  @Test func `hosts and origins are let in or refused`() {
    let cases: [(host: String, origins: [String], isLoopbackOnly: Bool, status: Int?)] = [
      ("localhost", [], true, nil), ("localhost:8080", [], true, nil), ("LOCALHOST:8080", [], true, nil), ("127.0.0.1:8080", [], true, nil),
      ("127.1.2.3", [], true, nil), ("[::1]:8080", [], true, nil), ("[::1]", [], true, nil),
      ("evil.example", [], true, 400), ("127.evil.example", [], true, 400), ("127.0.0.1.evil.example", [], true, 400), ("", [], true, 400),
      ("[::1", [], true, 400), ("[::2]", [], true, 400), ("128.0.0.1", [], true, 400), ("127.0.0.256", [], true, 400),
      ("127.0.0", [], true, 400), ("localhost.evil.example", [], true, 400), ("[::1].evil.example", [], true, 400),
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
      expectEqual(policy.refusal(of: head)?.status, status, "\(host) \(origins) \(isLoopbackOnly)")
    }
  }
}
