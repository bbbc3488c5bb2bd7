import TestSupport
import Testing

@testable import Configuration

@Test func `texts are checked for what they are used for`() {
  let cases: [(String, TextCheck, [String], [String])] = [
    ("name", .name, ["p", "Parley é", String(repeating: "é", count: 64)], ["", "a\nb", "a\u{85}", String(repeating: "x", count: 65)]),
    ("secret", .secret, [String(repeating: "x", count: 32), String(repeating: "é", count: 16)], ["", String(repeating: "x", count: 31)]),
    (
      "origin", .origin, ["https://a.example", "http://localhost:3000", "https://[::1]:8080", "null"],
      [
        "", "*", "a.example", "https://", "https://A.example", "https://a.example/", "https://a b", "https://*.example", "ftp://a",
        "https://é",
      ]
    ),
    ("network", .network, ["::1", "10.0.0.0/8"], ["example"]), ("listen", .listenAddress, ["a:1", "unix:s"], ["a"]),
    (
      "media type", .mediaType, ["image/png", "image/*", "*/*", "a/b+c.d-e_f"],
      ["", "image", "*", "*/png", "Image/png", "a/b/c", "a/", "a/b;c"]
    ),
    ("text", .nonEmpty("a path"), ["x"], [""]),
  ]
  for (name, check, right, wrong) in cases {
    for text in right { expectEqual(check.wrong(text), nil, "\(name) \(text)") }
    for text in wrong { expect(check.wrong(text) != nil, "\(name) \(text)") }
  }
}
