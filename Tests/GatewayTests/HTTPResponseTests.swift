import HTTPProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct HTTPResponseTests {
  @Test func `every answer says what it is and that it is not to be kept`() {
    let response = HTTPResponse.text(404, "nothing", fields: [HeaderField("A", "b")])
    let text = String(decoding: response.bytes(keepsAlive: true, isForHead: false), as: UTF8.self)
    for part in [
      "HTTP/1.1 404 Not Found\r\n", "A: b\r\n", "Content-Type: text/plain; charset=utf-8\r\n", "X-Content-Type-Options: nosniff\r\n",
      "Cache-Control: no-store\r\n", "Referrer-Policy: no-referrer\r\n", "Content-Length: 8\r\n", "Connection: keep-alive\r\n\r\nnothing\n",
    ] { expect(text.contains(part), "\(part) in \(text)") }
    let head = String(decoding: response.bytes(keepsAlive: false, isForHead: true), as: UTF8.self)
    expect(head.hasSuffix("Content-Length: 8\r\nConnection: close\r\n\r\n"), "the length without the content")
    for response in [HTTPResponse.restarting, .unavailable, .full] {
      expectEqual(response.status, 503, "for now")
      expect(response.fields.contains { $0.name == "Retry-After" }, "when to come back")
    }
  }
}
