import HTTPProtocol
import TestSupport
import Testing

@Suite struct RequestHeadTests {
  @Test func `lengths and expectations follow the body and the version`() {
    let expecting = [HeaderField("Expect", "100-Continue")]
    let rows: [(RequestHead, expectsBody: Bool, length: Int?, expectsContinue: Bool)] = [
      (RequestHead(target: "/", host: "h", fields: expecting), false, 0, false),
      (RequestHead(target: "/", host: "h", fields: expecting, body: .length(3)), true, 3, true),
      (RequestHead(target: "/", host: "h", fields: expecting, body: .chunked), true, nil, true),
      (RequestHead(target: "/", host: "h", body: .length(3)), true, 3, false),
      (RequestHead(target: "/", host: "h", version: .http10, fields: expecting, body: .length(3)), true, 3, false),
    ]
    for row in rows {
      expectEqual(row.0.expectsBody, row.expectsBody, "\(row.0)")
      expectEqual(row.0.contentLength, row.length, "\(row.0)")
      expectEqual(row.0.expectsContinue, row.expectsContinue, "\(row.0)")
    }
    expect(RequestHead(target: "/", host: "h", fields: [HeaderField("upgrade", "h2c, WebSocket")]).wantsWebSocket, "in a list")
    expect(!RequestHead(target: "/", host: "h", fields: [HeaderField("upgrade", "websockets")]).wantsWebSocket, "another token")
  }
}
