import TestSupport
import Testing

@testable import ChatModel

@Test func `links lead to absolute addresses of four schemes`() {
  let good = [
    "https://a", "HTTP://a.b:1/c?d#e", "https://a.b?c", "mailto:a@b.cd", "MAILTO:a@b.cd?subject=x%20y", "tel:+43 1 234-5",
    "https://a_b.c/(d)", "https://bücher.example",
    "https://" + String(repeating: "a", count: 253),
  ]
  for url in good { expect(LinkAddress.isAllowed(url), url) }
  let bad = [
    "", "a.b", "//a.b", "/a", "javascript:alert(1)", "javascript://a.b", "data:text/html,x", "https://", "https://a b",
    "https://a.b/\u{202E}", "https://u@a.b", "https://u:p@a", "https://a:x",
    "https://a:1x", "https://a,b", "ftp://a.b", "mailto:a", "mailto:@b.cd", "mailto:a@b.cd,c@d.ef", "mailto:a@b.cd?\n", "tel:", "tel:+",
    "tel:1x", "tel:1+2", " https://a", "https://a.b/\u{E000}",
    "https://" + String(repeating: "a", count: 254), "mailto:" + String(repeating: "a", count: 65) + "@b.cd",
    "tel:" + String(repeating: "1", count: 21), "http", "https:/",
  ]
  for url in bad { expect(!LinkAddress.isAllowed(url), url) }
}

@Test func `an address shows itself`() {
  let cases: [(text: String, url: String, isShown: Bool)] = [
    ("a@b.cd", "mailto:a@b.cd", true), ("mailto:a@b.cd", "MAILTO:a@b.cd", true), ("a@b.cd", "mailto:x@b.cd", false),
    ("a@b.cd", "mailto:a@b.cd?subject=x", false),
    ("A@b.cd", "mailto:a@b.cd", false), ("ann", "mailto:ann", false), ("+1 (234) 567-8.9", "tel:+123456789", true),
    ("tel:12", "tel:1-2", true), ("123", "tel:124", false), ("12", "tel:+12", false),
    ("", "tel:", false), ("x", "tel:12", false), ("https://a.b/c", "https://a.b/c", true), ("a.b", "https://a.b/c?d#e", true),
    ("A.b", "http://a.B", true), ("a.b/c", "https://a.b/c?d", true),
    ("a.b/?d", "https://a.b/?d", true), ("a.b/", "https://a.b", true), ("http://a.b", "https://a.b", false), ("a.b", "ftp://a.b", false),
    ("a.b", "a.b", false), ("b", "https://a.b", false),
    ("x.a.b", "https://a.b", false), ("a.b/c", "https://a.b/d", false), ("a.b?c", "https://a.b?d", false),
    ("a.b#c", "https://a.b#d", false), ("a.b/C", "https://a.b/c", false),
    ("a.b:80", "https://a.b", false), ("a.b:80", "https://a.b:80/", true), ("a.b@c.d", "https://c.d", false),
    ("click here", "https://a.b", false), ("a.b", "javascript:a.b", false),
  ]
  for (text, url, isShown) in cases { expectEqual(LinkAddress.shows(text, url), isShown, "\(text) \(url)") }
}
