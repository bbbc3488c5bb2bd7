import ChatModel
import TestSupport
import Testing

@Suite struct MediaTypeTests {
  @Test func `a field is read without its parameters, in lower case`() {
    let rows: [(String, String?)] = [
      ("image/png", "image/png"), ("Image/PNG", "image/png"), (" text/plain ; charset=utf-8", "text/plain"),
      ("application/vnd.a+json", "application/vnd.a+json"), ("text/html;", "text/html"), ("a/b\t", "a/b"),
      ("", nil), ("image", nil), ("/png", nil), ("image/", nil), ("image/png/x", nil), ("im age/png", nil), ("image/*", nil),
      ("image/\"png\"", nil), ("image/p\u{E4}ng", nil), ("x/" + String(repeating: "y", count: 99), nil), (";", nil),
    ]
    for (field, expected) in rows { expectEqual(MediaType(field)?.description, expected, field) }
  }

  @Test func `a pattern names a type, a family or all`() {
    let type = MediaType(stored: "image/png")
    for (pattern, matches) in [
      ("image/png", true), ("image/*", true), ("*/*", true), ("image/gif", false), ("video/*", false), ("ima/*", false), ("*", false),
    ] { expectEqual(type.matches(pattern), matches, pattern) }
  }

  @Test func `pictures, films and sounds are shown, and nothing in which a script could run`() {
    let rows: [(String, FileKind?)] = [
      ("image/png", .image), ("video/mp4", .video), ("audio/mpeg", .audio), ("image/svg+xml", nil), ("text/html", nil),
      ("application/pdf", nil), ("application/xml", nil), ("text/plain", nil), (MediaType.unknown.text, nil),
    ]
    for (text, kind) in rows {
      let type = MediaType(stored: text)
      expectEqual(type.kind, kind, text)
      expectEqual(type.isShown, kind != nil, text)
    }
  }
}
