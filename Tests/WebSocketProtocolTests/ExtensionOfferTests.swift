import TestSupport
import Testing
import WebSocketProtocol

@Suite struct ExtensionOfferTests {
  @Test func `offers are read in their order`() {
    let deflate = "permessage-deflate"
    let rows: [(String, [ExtensionOffer])] = [
      ("", []), (" , ,\t", []), ("constructor", [ExtensionOffer("constructor")]),
      ("permessage-deflate; client_max_window_bits", [ExtensionOffer(deflate, [.init("client_max_window_bits")])]),
      (
        "permessage-deflate ;\ta = 10 ; b=\"x\\y\" , , foo",
        [ExtensionOffer(deflate, [.init("a", "10"), .init("b", "xy")]), ExtensionOffer("foo")]
      ),
      ("a;x;x=1;x=1,a", [ExtensionOffer("a", [.init("x"), .init("x", "1"), .init("x", "1")]), ExtensionOffer("a")]),
      ("permessage-deflate; client_max_window_bits=99", [ExtensionOffer(deflate, [.init("client_max_window_bits", "99")])]),
    ]
    for (field, offers) in rows { expectEqual(ExtensionOffer.list(field), offers, field) }
    expectEqual(ExtensionOffer.list(Array(repeating: "a;b=1", count: 1_000).joined(separator: ",")).count, 1_000, "1,000 offers")
    expectEqual(ExtensionOffer.list(String(repeating: ",", count: 10_000) + "a"), [ExtensionOffer("a")], "10,000 commas")
  }

  @Test func `a malformed field offers nothing`() {
    let rows = [
      "=", "=\"", ";", ",;constructor", "a;", "a;;b", "a;=1", "a;b=", "a;b=\"", "a;b=\"\"", "a;b=\"x", "a;b=\"x\\", "a;b=\"x y\"", "a b",
      "a;b c",
      "a;b=1 2", "a;b=\"1\"2", "a,b c", "é", "a;b=٩", "a" + String(repeating: " ", count: 32_000) + "x", "a;b=\u{0}",
    ]
    for field in rows { expectEqual(ExtensionOffer.list(field), [], String(field.prefix(30))) }
  }
}
