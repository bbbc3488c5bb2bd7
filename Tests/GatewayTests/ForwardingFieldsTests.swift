import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct ForwardingFieldsTests {
  @Test func `a proxy shows itself by its fields`() {
    let cases: [([String], Bool)] = [
      ([], false), (["host", "accept"], false), (["Forwarded"], true), (["VIA"], true), (["x-forwarded-for"], true),
      (["accept", "X-Forwarded-Proto"], true), (["x-forward"], false), (["via2"], false), (["X-Real-IP"], true), (["x-real"], false),
    ]
    for (names, arePresent) in cases {
      let head = RequestHead(target: "/", host: "h", fields: names.map { HeaderField($0, "x") })
      expectEqual(ForwardingFields.arePresent(in: head), arePresent, "\(names)")
    }
  }
}
