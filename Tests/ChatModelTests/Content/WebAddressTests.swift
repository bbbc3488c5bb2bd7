import TestSupport
import Testing

@testable import ChatModel

@Test func `an address of a website is taken apart`() {
  func parts(_ text: String) -> [String]? {
    WebAddress(text).map { [$0.scheme ?? "-", $0.authority, $0.path, $0.query, $0.fragment] }
  }
  let cases: [(text: String, parts: [String]?)] = [
    ("HTTPS://A.b:8080/C?d=E#f?g", ["https", "a.b:8080", "/C", "?d=E", "#f?g"]), ("a.b", ["-", "a.b", "", "", ""]),
    ("a/", ["-", "a", "", "", ""]), ("a#b/c?d", ["-", "a", "", "", "#b/c?d"]),
    ("a?b/c", ["-", "a", "", "?b/c", ""]), ("Ä.b", ["-", "Ä.b", "", "", ""]), ("a.:1", ["-", "a.:1", "", "", ""]), ("", nil), (".a", nil),
    ("a..b", nil), ("a b", nil), ("a:", nil), ("a:65536", nil), ("http:///a", nil),
    ("http\u{1A}//a", nil), ("a@b", nil), ("a:1@b", nil), ("a,b", nil), ("http://", nil), ("a\u{200B}b", nil),
  ]
  for (text, expected) in cases { expectEqual(parts(text), expected, text.debugDescription) }
}
