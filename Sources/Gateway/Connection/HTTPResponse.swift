package import HTTPProtocol

/// A whole answer to a request.
package struct HTTPResponse: Equatable, Sendable {
  package var status: Int
  package var fields: [HeaderField]
  package var body: [UInt8]

  package init(status: Int, fields: [HeaderField] = [], body: [UInt8]) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// An answer of one sentence.
  package static func text(_ status: Int, _ sentence: String, fields: [HeaderField] = []) -> HTTPResponse {
    HTTPResponse(
      status: status, fields: fields + [HeaderField("Content-Type", "text/plain; charset=utf-8")], body: Array("\(sentence)\n".utf8))
  }

  /// The gateway stops.
  static let restarting = HTTPResponse.text(503, "The server restarts; come back", fields: [HeaderField("Retry-After", "1")])

  /// Something that the gateway needs is not there for now.
  static let unavailable = HTTPResponse.text(503, "The gateway cannot do this now; try again", fields: [HeaderField("Retry-After", "1")])

  /// The gateway has no room.
  static let full = HTTPResponse.text(503, "There are too many connections; come back later", fields: [HeaderField("Retry-After", "5")])

  /// The client's address has no room.
  static let crowded = HTTPResponse.text(
    429, "There are too many connections from this address; close some, or come back later", fields: [HeaderField("Retry-After", "10")])

  /// The bytes on the wire.
  func bytes(keepsAlive: Bool, isForHead: Bool) -> [UInt8] {
    ResponseHead(status: status, fields: fields + Self.securityFields).bytes(body: body, keepsAlive: keepsAlive, isForHead: isForHead)
  }

  /// The bytes of an answer whose content follows piece by piece.
  func headBytes(length: Int64, keepsAlive: Bool) -> [UInt8] {
    var head = ResponseHead(status: status, fields: fields + Self.securityFields.filter { field in self.field(named: field.name) == nil })
    head.fields.append(HeaderField("Content-Length", String(length)))
    head.fields.append(HeaderField("Connection", keepsAlive ? "keep-alive" : "close"))
    return head.bytes()
  }

  private func field(named name: String) -> HeaderField? { fields.first { ASCII.equal($0.name, name) } }

  /// Sent with every answer: nothing here is to be guessed, framed or kept.
  private static let securityFields = [
    HeaderField("X-Content-Type-Options", "nosniff"),
    HeaderField("Referrer-Policy", "no-referrer"),
    HeaderField("Cache-Control", "no-store"),
  ]
}
