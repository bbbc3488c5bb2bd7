import HTTPProtocol
import TestSupport
import Testing
import WebSocketProtocol

/// The digest of the example in RFC 6455 §1.3, and of nothing else.
func exampleDigest(_ bytes: [UInt8]) -> [UInt8] {
  expectEqual(String(decoding: bytes, as: UTF8.self), "dGhlIHNhbXBsZSBub25jZQ==258EAFA5-E914-47DA-95CA-C5AB0DC85B11", "what is hashed")
  return [
    0xB3, 0x7A, 0x4F, 0x2C, 0xC0, 0x62, 0x4F, 0x16, 0x90, 0xF6, 0x46, 0x06, 0xCF, 0x38, 0x59, 0x45, 0xB2, 0xBE, 0xC4, 0xEA,
  ]
}

@Suite struct ServerHandshakeTests {
  private let plain = [
    HeaderField("Host", "h"), HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade"),
    HeaderField("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="), HeaderField("Sec-WebSocket-Version", "13"),
  ]

  private func head(
    method: String = "GET", version: HTTPVersion = .http11, without: String = "", adding: [HeaderField] = [], body: RequestHead.Body = .none
  ) -> RequestHead {
    RequestHead(
      method: method, target: "/ws", host: "h", version: version, fields: plain.filter { $0.name != without } + adding, body: body)
  }

  private func replacing(_ name: String, _ values: String...) -> RequestHead {
    head(without: name, adding: values.map { HeaderField(name, $0) })
  }

  @Test func `a request of a browser is accepted`() {
    let offers = [
      HeaderField("Sec-WebSocket-Protocol", "bearer.a-b_c.d, parley.v2"), HeaderField("sec-websocket-protocol", " ,parley.v1"),
      HeaderField("Sec-WebSocket-Extensions", "permessage-deflate; client_max_window_bits"),
    ]
    let accept = [
      HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade"),
      HeaderField("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]
    let rows: [(RequestHead, chosen: String?, offered: [String], compresses: Bool)] = [
      (head(), nil, [], false), (head(adding: offers), "parley.v1", ["bearer.a-b_c.d", "parley.v2", "parley.v1"], true),
      (head(adding: [HeaderField("Sec-WebSocket-Protocol", "chat")]), nil, ["chat"], false),
      (head(adding: [HeaderField("Sec-WebSocket-Extensions", "=\"")]), nil, [], false),
      (head(adding: ["foo", "permessage-deflate"].map { HeaderField("Sec-WebSocket-Extensions", $0) }), nil, [], true),
      (replacing("Connection", "keep-alive, upgrade"), nil, [], false), (replacing("Connection", "keep-alive", "UPGRADE"), nil, [], false),
      (replacing("Upgrade", "h2c, WebSocket"), nil, [], false), (head(version: HTTPVersion(major: 1, minor: 2)), nil, [], false),
    ]
    let deflate = HeaderField("Sec-WebSocket-Extensions", "permessage-deflate; server_no_context_takeover; client_no_context_takeover")
    for row in rows {
      for policy in [nil, DeflatePolicy()] {
        let result = ServerHandshake.accept(row.0, supported: ["parley.v1", "x"], compression: policy, sha1: exampleDigest)
        guard case .accept(let acceptance) = result else {
          expect(false, "refused \(row.0)")
          continue
        }
        let compresses = row.compresses && policy != nil
        let fields = accept + (row.chosen.map { [HeaderField("Sec-WebSocket-Protocol", $0)] } ?? []) + (compresses ? [deflate] : [])
        expectEqual(acceptance.response, ResponseHead(status: 101, fields: fields))
        expectEqual(acceptance.subprotocol, row.chosen)
        expectEqual(acceptance.offeredSubprotocols, row.offered)
        expectEqual(acceptance.deflate != nil, compresses)
      }
    }
  }

  @Test func `a request that is no handshake is refused with its status`() {
    let rows: [(RequestHead, HandshakeViolation)] = [
      (head(method: "POST"), .methodNotAllowed), (head(method: "get"), .methodNotAllowed), (head(version: .http10), .oldVersion),
      (head(body: .length(1)), .unexpectedBody), (head(body: .chunked), .unexpectedBody), (head(without: "Upgrade"), .missingUpgrade),
      (replacing("Upgrade", "h2c"), .missingUpgrade), (head(without: "Connection"), .missingConnectionUpgrade),
      (replacing("Connection", "keep-alive"), .missingConnectionUpgrade), (head(without: "Sec-WebSocket-Version"), .missingVersion),
      (replacing("Sec-WebSocket-Version", "8"), .unsupportedVersion), (replacing("Sec-WebSocket-Version", "13, 8"), .unsupportedVersion),
      (replacing("Sec-WebSocket-Version", "13", "13"), .unsupportedVersion), (head(without: "Sec-WebSocket-Key"), .missingKey),
      (head(adding: [HeaderField("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==")]), .missingKey),
      (replacing("Sec-WebSocket-Key", ""), .badKey),
      (replacing("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ"), .badKey),
      (replacing("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZR=="), .badKey),
      (replacing("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25j"), .badKey),
      (replacing("Sec-WebSocket-Key", "AAAAAAAAAAAAAAAAAAAAAAA="), .badKey),
    ]
    let protocols = [
      "", ",", "a b", "a,a", "a, é", "a;b", "a" + String(repeating: " ", count: 32_000) + "x", String(repeating: ",", count: 10_000),
    ]
    let all = rows + protocols.map { (head(adding: [HeaderField("Sec-WebSocket-Protocol", $0)]), .badSubprotocols) }
    for (head, violation) in all {
      expectEqual(ServerHandshake.accept(head, supported: ["a"], sha1: { _ in [] }), .refuse(violation), "\(violation)")
    }
  }
}
