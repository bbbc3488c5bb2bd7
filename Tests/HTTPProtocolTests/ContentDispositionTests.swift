import HTTPProtocol
import TestSupport
import Testing

@Suite struct ContentDispositionTests {
  @Test func `a name cannot leave its quotes`() {
    let rows = [
      ("photo 1.png", "\"photo 1.png\"; filename*=UTF-8''photo%201.png"),
      ("a\"; x=\"b\\c", "\"a__ x__b_c\"; filename*=UTF-8''a%22%3B%20x%3D%22b%5Cc"),
      ("ä日\r\n", "\"____\"; filename*=UTF-8''%C3%A4%E6%97%A5%0D%0A"),
    ]
    for (name, expected) in rows {
      expectEqual(ContentDisposition.value(isShown: false, filename: name), "attachment; filename=\(expected)", name)
      expectEqual(ContentDisposition.value(isShown: true, filename: name), "inline; filename=\(expected)", name)
    }
  }
}
