import HTTPProtocol
import TestSupport
import Testing

@Suite struct ForwardedRouteTests {
  private static let clientBits: UInt32 = 0xCB00_7101
  private static let client = ForwardedElement.Node.address(.ipv4(clientBits), port: nil)

  /// 10.0.0.0/8 is trusted.
  private static func route(_ fields: [(String, String)]) -> ForwardedRoute? {
    let head = RequestHead(target: "/", host: "h", fields: fields.map { HeaderField($0.0, $0.1) })
    do throws(ForwardedRoute.Conflict) {
      return try ForwardedRoute(head) { if case .ipv4(let bits) = $0 { bits >> 24 == 10 } else { false } }
    } catch { return nil }
  }

  @Test func `the client is the first from the right that is no trusted proxy`() {
    let proxy = ForwardedElement.Node.address(.ipv4(0x0A00_0002), port: nil)
    let rows: [([(String, String)], ForwardedElement.Node)] = [
      ([], .unknown), ([("X-Real-IP", "203.0.113.1")], .unknown),
      ([("X-Forwarded-For", "203.0.113.1")], Self.client), ([("X-Forwarded-For", "203.0.113.1, 10.0.0.2")], Self.client),
      ([("X-Forwarded-For", "198.51.100.66, 203.0.113.1, 10.0.0.2, 10.0.0.3")], Self.client),
      ([("X-Forwarded-For", "198.51.100.66"), ("X-Forwarded-For", "203.0.113.1")], Self.client),
      ([("X-Forwarded-For", "203.0.113.1, unknown, 10.0.0.2")], proxy), ([("X-Forwarded-For", "203.0.113.1, nonsense")], .unknown),
      ([("X-Forwarded-For", "203.0.113.1,")], .unknown),
      ([("X-Forwarded-For", "10.0.0.1, 10.0.0.2")], .address(.ipv4(0x0A00_0001), port: nil)),
      ([("Forwarded", "for=198.51.100.66, for=203.0.113.1, for=10.0.0.2")], Self.client), ([("Forwarded", "for=_x, for=10.0.0.2")], proxy),
      ([("Forwarded", "proto=https")], .unknown), ([("Forwarded", "for=\"203.0.113.1, for=10.0.0.2")], proxy),
    ]
    for (fields, node) in rows { expectEqual(Self.route(fields)?.client, node, "\(fields)") }
  }

  @Test func `scheme and host are those that the client asked for`() {
    let rows: [([(String, String)], isSecure: Bool?, host: String?)] = [
      ([], nil, nil), ([("X-Forwarded-Proto", "https")], true, nil), ([("X-Forwarded-Proto", "http")], false, nil),
      ([("X-Forwarded-Proto", "WSS")], true, nil), ([("X-Forwarded-Proto", "ftp")], nil, nil), ([("X-Forwarded-Proto", "")], nil, nil),
      ([("X-Forwarded-Proto", "https, http")], false, nil), ([("X-Forwarded-Proto", "http"), ("X-Forwarded-Proto", "https")], true, nil),
      ([("X-Forwarded-Host", "chat.example")], nil, "chat.example"),
      ([("X-Forwarded-Host", "evil.example, chat.example:81 ")], nil, "chat.example:81"),
      ([("X-Forwarded-Host", "a/b")], nil, nil), ([("X-Forwarded-Host", "")], nil, nil),
      ([("X-Forwarded-Host", "chat.example,")], nil, nil),
      ([("Forwarded", "for=203.0.113.1;proto=https;host=chat.example, for=10.0.0.2;proto=http;host=inner")], true, "chat.example"),
      ([("Forwarded", "for=6.6.6.6;proto=http;host=evil.example, for=203.0.113.1;proto=https;host=chat.example")], true, "chat.example"),
      ([("Forwarded", "for=203.0.113.1"), ("X-Forwarded-Proto", "https"), ("X-Forwarded-Host", "chat.example")], true, "chat.example"),
      ([("Forwarded", "proto=https;host=chat.example")], true, "chat.example"),
    ]
    for (fields, isSecure, host) in rows {
      let route = Self.route(fields)
      expectEqual(route?.isSecure, isSecure, "\(fields)")
      expectEqual(route?.host, host, "\(fields)")
    }
  }

  @Test func `two fields that name different clients are a conflict`() {
    let rows: [(forwarded: String, older: String, agree: Bool)] = [
      ("for=203.0.113.1", "203.0.113.1", true), ("for=\"203.0.113.1:99\"", "203.0.113.1", true), ("for=unknown", "unknown", true),
      ("for=6.6.6.6, for=203.0.113.1, for=10.0.0.2", "203.0.113.1", true), ("for=203.0.113.1", "203.0.113.2", false),
      ("for=203.0.113.1", "unknown", false), ("for=unknown", "203.0.113.1", false), ("proto=https", "203.0.113.1", false),
    ]
    for (forwarded, older, agree) in rows {
      expectEqual(Self.route([("Forwarded", forwarded), ("X-Forwarded-For", older)]) != nil, agree, "\(forwarded) and \(older)")
    }
    expect(ForwardedRoute.Conflict.sentence.hasSuffix("."), "there is a sentence")
  }
}
