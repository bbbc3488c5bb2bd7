import HTTPProtocol
import TestSupport
import Testing

@Suite struct ResponseHeadTests {
  private func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

  @Test func `a head is written, and what comes from outside cannot split it`() {
    let rows: [(ResponseHead, String)] = [
      (ResponseHead(status: 404), "HTTP/1.1 404 Not Found\r\n\r\n"),
      (ResponseHead(status: 299, fields: [HeaderField("A", "b\tc")]), "HTTP/1.1 299 \r\nA: b\tc\r\n\r\n"),
      (
        ResponseHead(status: 200, fields: [HeaderField("A\r\n", "b\r\nSet-Cookie: x\u{0}")]),
        "HTTP/1.1 200 OK\r\nA  : b  Set-Cookie: x \r\n\r\n"
      ),
    ]
    for (head, expected) in rows { expectEqual(text(head.bytes()), expected) }
  }

  @Test func `a response tells its length and what becomes of the connection`() {
    let body = Array("hello".utf8)
    let ok = "HTTP/1.1 200 OK\r\nA: b\r\nContent-Length: 5\r\n"
    let head = ResponseHead(status: 200, fields: [HeaderField("A", "b")])
    expectEqual(text(head.bytes(body: body, keepsAlive: true)), ok + "Connection: keep-alive\r\n\r\nhello")
    expectEqual(text(head.bytes(body: body, keepsAlive: false)), ok + "Connection: close\r\n\r\nhello")
    expectEqual(text(head.bytes(body: body, keepsAlive: true, isForHead: true)), ok + "Connection: keep-alive\r\n\r\n")
    for status in [204, 304] {
      let bytes = ResponseHead(status: status).bytes(body: body, keepsAlive: true)
      expectEqual(text(bytes), "HTTP/1.1 \(status) \(ResponseHead(status: status).reasonPhrase)\r\nConnection: keep-alive\r\n\r\n")
    }
  }

  @Test func `every status that is answered has its phrase`() {
    let known = [
      100, 101, 200, 201, 202, 204, 206, 301, 302, 304, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 416, 417, 422, 426,
      429,
      431, 500, 501, 503, 505,
    ]
    let phrases = known.map { ResponseHead(status: $0).reasonPhrase }
    expect(phrases.allSatisfy { !$0.isEmpty }, "\(phrases)")
    expectEqual(Set(phrases).count, known.count, "phrases differ")
  }
}
