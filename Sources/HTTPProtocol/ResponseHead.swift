/// The status line and the header fields of a response.
package struct ResponseHead: Equatable, Sendable, HasHeaderFields {
  /// The status, three digits.
  package let status: Int
  /// The fields in their order.
  package var fields: [HeaderField]

  /// Makes a head from a status and fields.
  package init(status: Int, fields: [HeaderField] = []) {
    self.status = status
    self.fields = fields
  }

  /// The reason phrase of the status (RFC 9110 §15), empty for one that is not known.
  package var reasonPhrase: String {
    switch status {
    case 100: "Continue"
    case 101: "Switching Protocols"
    case 200: "OK"
    case 201: "Created"
    case 202: "Accepted"
    case 204: "No Content"
    case 206: "Partial Content"
    case 301: "Moved Permanently"
    case 302: "Found"
    case 304: "Not Modified"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 406: "Not Acceptable"
    case 408: "Request Timeout"
    case 409: "Conflict"
    case 410: "Gone"
    case 411: "Length Required"
    case 413: "Content Too Large"
    case 414: "URI Too Long"
    case 415: "Unsupported Media Type"
    case 416: "Range Not Satisfiable"
    case 417: "Expectation Failed"
    case 422: "Unprocessable Content"
    case 426: "Upgrade Required"
    case 429: "Too Many Requests"
    case 431: "Request Header Fields Too Large"
    case 500: "Internal Server Error"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    case 507: "Insufficient Storage"
    default: ""
    }
  }

  /// The bytes of the head, empty line included.
  ///
  /// A control character in a name or value goes out as a space: what came from outside cannot add a field or split the response.
  package func bytes() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(64 + fields.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 })
    bytes.append(contentsOf: "HTTP/1.1 \(status) \(reasonPhrase)\r\n".utf8)
    for field in fields { field.append(to: &bytes) }
    bytes.append(contentsOf: [ASCII.carriageReturn, ASCII.lineFeed])
    return bytes
  }

  /// The bytes of a whole response with its length and what becomes of the connection.
  ///
  /// - Parameters:
  ///   - body: The content. No length is sent with a status that has none (1xx, 204, 304: RFC 9110 §8.6).
  ///   - keepsAlive: Whether another request may follow on the connection.
  ///   - isForHead: Whether HEAD was asked: the length is told, the content is not sent.
  package func bytes(body: [UInt8], keepsAlive: Bool, isForHead: Bool = false) -> [UInt8] {
    var head = self
    let hasContent = status >= 200 && status != 204 && status != 304
    if hasContent { head.fields.append(HeaderField("Content-Length", String(body.count))) }
    head.fields.append(HeaderField("Connection", keepsAlive ? "keep-alive" : "close"))
    let bytes = head.bytes()
    return hasContent && !isForHead ? bytes + body : bytes
  }
}

extension HeaderField {
  /// Appends the field line.
  package func append(to bytes: inout [UInt8]) {
    bytes.append(contentsOf: name.utf8.lazy.map { $0 < 0x20 || $0 == 0x7F ? ASCII.space : $0 })
    bytes.append(contentsOf: [UInt8(ascii: ":"), ASCII.space])
    bytes.append(contentsOf: value.utf8.lazy.map { $0 < 0x20 && $0 != ASCII.tab || $0 == 0x7F ? ASCII.space : $0 })
    bytes.append(contentsOf: [ASCII.carriageReturn, ASCII.lineFeed])
  }
}
