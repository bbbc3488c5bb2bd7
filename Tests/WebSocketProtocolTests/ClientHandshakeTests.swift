import HTTPProtocol
import TestSupport
import Testing
import WebSocketProtocol

@Suite struct ClientHandshakeTests {
  private let key = Array("the sample nonce".utf8)

  @Test func `a request is one that a server accepts`() {
    let bytes = ClientHandshake.request(
      host: "h:80", path: "/ws?a=é b", key: key, subprotocols: ["parley.v1", "bearer.x"], deflate: DeflateOffer(serverWindowBits: 9),
      fields: [HeaderField("Authorization", "Bearer\r\nx")])
    var parser = RequestHeadParser()
    guard case .head(let head, let consumed) = bytes.withUnsafeBytes({ parser.parse($0) }) else {
      return expect(false, "the request is malformed")
    }
    expectEqual(consumed, bytes.count)
    expectEqual(head.target, "/ws?a=%C3%A9%20b")
    expectEqual(head.host, "h:80")
    expectEqual(head["authorization"], "Bearer  x", "no field can be smuggled in")
    guard
      case .accept(let acceptance) = ServerHandshake.accept(
        head, supported: ["parley.v1"], compression: DeflatePolicy(), sha1: exampleDigest)
    else {
      return expect(false, "the request is refused")
    }
    expectEqual(acceptance.offeredSubprotocols, ["parley.v1", "bearer.x"])
    do {
      let agreement = try ClientHandshake.verify(
        acceptance.response, key: key, subprotocols: ["parley.v1", "bearer.x"], deflate: DeflateOffer(serverWindowBits: 9),
        sha1: exampleDigest)
      expectEqual(agreement, ClientHandshake.Agreement(subprotocol: "parley.v1", deflate: acceptance.deflate))
      expectEqual(agreement.deflate?.serverWindowBits, 9)
    } catch { expect(false, "the answer is refused: \(error)") }
  }

  @Test func `only an answer to this request opens the connection`() {
    let fields = [
      HeaderField("Upgrade", "WebSocket"), HeaderField("Connection", "upgrade"),
      HeaderField("Sec-WebSocket-Accept", "s3pPLMBiTxaQ9kYGzzhZRbK+xOo="),
    ]
    func answer(status: Int = 101, without: String = "", _ more: HeaderField...) -> ResponseHead {
      ResponseHead(status: status, fields: fields.filter { $0.name != without } + more)
    }
    let rows: [(ResponseHead, ClientHandshake.Refusal?)] = [
      (answer(), nil), (answer(status: 401), .status(401)), (answer(without: "Upgrade"), .notUpgraded),
      (answer(without: "Connection"), .notUpgraded),
      (answer(without: "Upgrade", HeaderField("Upgrade", "h2c")), .notUpgraded), (answer(without: "Sec-WebSocket-Accept"), .wrongAccept),
      (answer(HeaderField("Sec-WebSocket-Accept", "x")), .wrongAccept),
      (answer(HeaderField("Sec-WebSocket-Protocol", "b")), .unexpectedSubprotocol),
      (answer(HeaderField("Sec-WebSocket-Protocol", "a, a")), .unexpectedSubprotocol),
      (answer(HeaderField("Sec-WebSocket-Extensions", "permessage-deflate")), .unexpectedExtension),
    ]
    for (head, refusal) in rows {
      do throws(ClientHandshake.Refusal) {
        expectEqual(try ClientHandshake.verify(head, key: key, subprotocols: ["a"], sha1: exampleDigest), ClientHandshake.Agreement())
        expectEqual(nil, refusal, "\(head)")
      } catch { expectEqual(error, refusal, "\(head)") }
    }
    do throws(ClientHandshake.Refusal) {
      let head = answer(HeaderField("Sec-WebSocket-Extensions", "permessage-deflate"))
      let offer = DeflateOffer(serverForgets: true)
      _ = try ClientHandshake.verify(head, key: key, deflate: offer, sha1: exampleDigest)
      expect(false, "an answer that does not fit the offer is taken")
    } catch { expectEqual(error, .unexpectedExtension) }
  }
}
