import HTTPProtocol
import TestSupport
import Testing

@Suite struct HeaderFieldTests {
  @Test func `fields are found without regard to case and joined`() {
    let head = ResponseHead(
      status: 200,
      fields: [
        HeaderField("Connection", "keep-alive ,\tUpgrade"), HeaderField("Origin", "a"), HeaderField("ORIGIN", "b"), HeaderField("X", ""),
      ])
    expectEqual(head["origin"], "a, b", "twice")
    expectEqual(head["x"], "", "empty")
    expectEqual(head["y"], nil, "absent")
    expectEqual(head.values(of: "oRiGiN"), ["a", "b"])
    for (token, isThere) in [("upgrade", true), ("KEEP-ALIVE", true), ("keep", false), ("", false), ("keep-alive ,\tUpgrade", false)] {
      expectEqual(head.hasToken("connection", token), isThere, token)
    }
    expect(!head.hasToken("absent", "upgrade"), "no such field")
    let many = ResponseHead(status: 200, fields: [HeaderField("a", String(repeating: ",", count: 10_000) + "x")])
    expect(many.hasToken("a", "x"), "10,000 commas")
  }
}
