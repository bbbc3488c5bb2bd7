import Bytes
package import HTTPProtocol

/// The client's side of the opening handshake (RFC 6455 §4.1).
package enum ClientHandshake {
  /// Why an answer does not open the connection.
  package enum Refusal: Error, Equatable, Sendable {
    /// Another status than 101, such as 401 or 503.
    case status(Int)
    /// No `Upgrade: websocket` or no `Connection: Upgrade`.
    case notUpgraded
    /// `Sec-WebSocket-Accept` does not fit the key.
    case wrongAccept
    /// A sub-protocol that was not offered, or several.
    case unexpectedSubprotocol
    /// An extension that was not offered, or in a form that does not fit the offer.
    case unexpectedExtension
  }

  /// What an answer settled.
  package struct Agreement: Equatable, Sendable {
    /// The sub-protocol that the server chose, if any.
    package let subprotocol: String?
    /// What was agreed on about compression; nil: none.
    package let deflate: DeflateAgreement?

    /// Makes an agreement from its parts.
    package init(subprotocol: String? = nil, deflate: DeflateAgreement? = nil) {
      self.subprotocol = subprotocol
      self.deflate = deflate
    }
  }

  /// The bytes of the request.
  ///
  /// - Parameters:
  ///   - host: Host and, unless it is the scheme's own, port.
  ///   - path: Path and query.
  ///   - key: 16 random bytes.
  ///   - subprotocols: In the order of preference.
  ///   - deflate: The offer of compression; nil: none.
  ///   - fields: Further fields, such as `Authorization`.
  package static func request(
    host: String, path: String, key: [UInt8], subprotocols: [String] = [], deflate: DeflateOffer? = nil, fields: [HeaderField] = []
  ) -> [UInt8] {
    var all = [
      HeaderField("Host", host), HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade"),
      HeaderField("Sec-WebSocket-Key", Base64.encode(key)), HeaderField("Sec-WebSocket-Version", ServerHandshake.version),
    ]
    if !subprotocols.isEmpty { all.append(HeaderField("Sec-WebSocket-Protocol", subprotocols.joined(separator: ", "))) }
    if let deflate { all.append(HeaderField("Sec-WebSocket-Extensions", deflate.text)) }
    var bytes = Array("GET ".utf8)
    // What is not visible ASCII cannot stand in a request line.
    bytes += path.utf8.flatMap { $0 > 0x20 && $0 < 0x7F ? [$0] : escaped($0) }
    bytes += Array(" HTTP/1.1\r\n".utf8)
    for field in all + fields { field.append(to: &bytes) }
    return bytes + [UInt8(ascii: "\r"), UInt8(ascii: "\n")]
  }

  /// Checks the answer and returns what it settled.
  ///
  /// - Parameters:
  ///   - head: The answer.
  ///   - key: The bytes given to the request.
  ///   - subprotocols: Those given to the request.
  ///   - offer: The offer of compression given to the request.
  ///   - sha1: The SHA-1 digest, 20 bytes.
  package static func verify(
    _ head: ResponseHead, key: [UInt8], subprotocols: [String] = [], deflate offer: DeflateOffer? = nil, sha1: ([UInt8]) -> [UInt8]
  ) throws(Refusal) -> Agreement {
    guard head.status == 101 else { throw .status(head.status) }
    guard let upgrade = head["upgrade"], ASCII.equal(upgrade, "websocket"), head.hasToken("connection", "upgrade") else {
      throw .notUpgraded
    }
    guard head["sec-websocket-accept"] == ServerHandshake.acceptValue(key: Base64.encode(key), sha1: sha1) else { throw .wrongAccept }
    let subprotocol = head["sec-websocket-protocol"]
    if let subprotocol, !subprotocols.contains(subprotocol) { throw .unexpectedSubprotocol }
    return Agreement(subprotocol: subprotocol, deflate: try deflate(in: head, offer))
  }

  private static func deflate(in head: ResponseHead, _ offer: DeflateOffer?) throws(Refusal) -> DeflateAgreement? {
    guard let field = head["sec-websocket-extensions"] else { return nil }
    guard let offer, let agreement = DeflateAgreement(answer: ExtensionOffer.list(field), to: offer) else { throw .unexpectedExtension }
    return agreement
  }

  private static func escaped(_ byte: UInt8) -> [UInt8] {
    let digits = Array("0123456789ABCDEF".utf8)
    return [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 0x0F)]]
  }
}
