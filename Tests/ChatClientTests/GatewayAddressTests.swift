import TestSupport
import Testing
import Transport

@testable import ChatClient

@Suite struct GatewayAddressTests {
  @Test func `addresses are read as a browser reads them`() {
    let cases: [(String, String?)] = [
      ("ws://127.0.0.1:8080/ws", "false 127.0.0.1 8080 /ws 127.0.0.1:8080"),
      ("wss://chat.example", "true chat.example 443 /ws chat.example"),
      ("WS://chat.example:80/a?b=c", "false chat.example 80 /a?b=c chat.example"), ("wss://[::1]:9/x", "true ::1 9 /x [::1]:9"),
      ("ws://h?q", "false h 80 /?q h"), ("http://h", nil), ("ws://", nil), ("ws://h:0", nil), ("ws://h:x", nil), ("ws://u@h", nil),
      ("ws://h/#f", nil), ("ws://[::1]x", nil), ("ws://h h", nil), ("", nil),
    ]
    for (text, expected) in cases {
      let parts = GatewayAddress(text).map { "\($0.isSecure) \($0.host) \($0.port) \($0.path) \($0.hostField)" }
      expectEqual(parts, expected, text)
    }
  }

  @Test func `hosts that are addresses need no look-up`() {
    for (host, address) in [("127.0.0.1", "127.0.0.1:7"), ("::1", "[::1]:7"), ("localhost", "127.0.0.1:7"), ("chat.example", nil)] {
      expectEqual(NameLookup.literal(host, port: 7)?.description, address)
    }
    expectEqual(NameLookup.addresses(of: "::1", port: 7).map(\.description), ["[::1]:7"])
    expectEqual(NameLookup.addresses(of: "nobody.invalid.", port: 7).map(\.description), [])
  }
}
