import Bytes
package import HTTPProtocol

/// The server's side of the opening handshake (RFC 6455 §4.2).
package enum ServerHandshake {
  /// The only version of the protocol, as its field has it.
  package static let version = "13"

  /// What becomes of a request.
  package enum Result: Equatable, Sendable {
    /// It opens a connection.
    case accept(Acceptance)
    /// It does not, for this reason.
    case refuse(HandshakeViolation)
  }

  /// A connection that can begin.
  package struct Acceptance: Equatable, Sendable {
    /// The answer, status 101.
    package let response: ResponseHead
    /// The sub-protocol that the answer names, if any.
    package let subprotocol: String?
    /// All that the client offered, in its order.
    package let offeredSubprotocols: [String]
    /// What was agreed on about compression; nil where it was not offered, not wanted, or not in a form that can be honoured.
    package let deflate: DeflateAgreement?
  }

  /// Checks a request and answers it.
  ///
  /// - Parameters:
  ///   - head: The request. `Origin`, `Host` and authentication are the caller's to judge.
  ///   - supported: The sub-protocols spoken here: the first that the client offers of these is chosen.
  ///   - compression: What is granted to clients that offer compression; nil: every extension is declined.
  ///   - sha1: The SHA-1 digest, 20 bytes.
  package static func accept(
    _ head: RequestHead, supported: [String] = [], compression: DeflatePolicy? = nil, sha1: ([UInt8]) -> [UInt8]
  ) -> Result {
    do throws(HandshakeViolation) {
      try checkUpgrade(head)
      let key = try checkKey(head)
      let offered = try subprotocols(head)
      let chosen = offered.first(where: supported.contains)
      var fields = [
        HeaderField("Upgrade", "websocket"), HeaderField("Connection", "Upgrade"),
        HeaderField("Sec-WebSocket-Accept", acceptValue(key: key, sha1: sha1)),
      ]
      if let chosen { fields.append(HeaderField("Sec-WebSocket-Protocol", chosen)) }
      let deflate = compression.flatMap { DeflateAgreement.accepting(offers(head), by: $0) }
      if let deflate { fields.append(HeaderField("Sec-WebSocket-Extensions", deflate.answer)) }
      return .accept(
        Acceptance(
          response: ResponseHead(status: 101, fields: fields), subprotocol: chosen, offeredSubprotocols: offered,
          deflate: deflate?.agreement))
    } catch {
      return .refuse(error)
    }
  }

  /// The proof that the server understood the key (RFC 6455 §4.2.2).
  static func acceptValue(key: String, sha1: ([UInt8]) -> [UInt8]) -> String {
    Base64.encode(sha1(Array((key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11").utf8)))
  }

  private static func checkUpgrade(_ head: RequestHead) throws(HandshakeViolation) {
    guard head.method == "GET" else { throw .methodNotAllowed }
    guard head.version.minor >= 1 else { throw .oldVersion }
    guard !head.expectsBody else { throw .unexpectedBody }
    guard head.wantsWebSocket else { throw .missingUpgrade }
    guard head.hasToken("connection", "upgrade") else { throw .missingConnectionUpgrade }
    guard let version = head["sec-websocket-version"] else { throw .missingVersion }
    guard version == Self.version else { throw .unsupportedVersion }
  }

  private static func checkKey(_ head: RequestHead) throws(HandshakeViolation) -> String {
    let keys = head.values(of: "sec-websocket-key")
    guard keys.count == 1, let key = keys.first else { throw .missingKey }
    guard Base64.decode(key)?.count == 16 else { throw .badKey }
    return key
  }

  private static func offers(_ head: RequestHead) -> [ExtensionOffer] {
    head["sec-websocket-extensions"].map(ExtensionOffer.list) ?? []
  }

  /// Reads the offered sub-protocols (RFC 6455 §4.1, item 10): tokens, none of them twice.
  private static func subprotocols(_ head: RequestHead) throws(HandshakeViolation) -> [String] {
    guard let field = head["sec-websocket-protocol"] else { return [] }
    var names: [String] = []
    var seen: Set<String> = []
    for element in field.utf8.split(separator: UInt8(ascii: ",")) {
      let name = ASCII.trimmed(element)
      // RFC 9110 §5.6.1.2: a recipient reads over empty elements of a list.
      if name.isEmpty { continue }
      guard ASCII.isToken(name), seen.insert(String(Substring(name))).inserted else { throw .badSubprotocols }
      names.append(String(Substring(name)))
    }
    guard !names.isEmpty else { throw .badSubprotocols }
    return names
  }
}
