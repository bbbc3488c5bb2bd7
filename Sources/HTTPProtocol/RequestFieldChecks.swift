/// The fields that decide where a request ends and whom it asks, checked as they arrive.
struct RequestFieldChecks: Equatable, Sendable {
  var target = RequestTarget()
  private var host: String?
  private var contentLength: Int?
  private var isChunked = false

  /// Looks at a field that has become whole.
  mutating func take(_ field: HeaderField, _ version: HTTPVersion) throws(RequestViolation) {
    if ASCII.equal(field.name, "host") {
      guard host == nil else { throw RequestViolation(.duplicateHost) }
      guard RequestTarget.isAuthority(field.value.utf8) else { throw RequestViolation(.badHost) }
      host = field.value
    } else if ASCII.equal(field.name, "content-length") {
      guard !isChunked else { throw RequestViolation(.conflictingLengths) }
      try takeContentLength(field.value)
    } else if ASCII.equal(field.name, "transfer-encoding") {
      guard contentLength == nil else { throw RequestViolation(.conflictingLengths) }
      // RFC 9112 §6.1: in HTTP/1.0 the framing is faulty. Twice chunked is as well.
      guard version.minor >= 1, !isChunked, !field.value.isEmpty else { throw RequestViolation(.badTransferEncoding) }
      guard ASCII.equal(field.value, "chunked") else { throw RequestViolation(.unknownTransferCoding) }
      isChunked = true
    }
  }

  /// Puts the head together once its last byte is there.
  func head(_ line: RequestLine, _ fields: [HeaderField]) throws(RequestViolation) -> RequestHead {
    guard host != nil || line.version.minor == 0 else { throw RequestViolation(.missingHost) }
    let body: RequestHead.Body
    if isChunked { body = .chunked } else if let contentLength, contentLength > 0 { body = .length(contentLength) } else { body = .none }
    return RequestHead(
      method: line.method, target: line.target, path: target.path, query: target.query, host: target.authority ?? host ?? "",
      version: line.version, fields: fields, body: body)
  }

  private mutating func takeContentLength(_ value: String) throws(RequestViolation) {
    guard !value.isEmpty, value.utf8.allSatisfy(ASCII.isDigit) else { throw RequestViolation(.badContentLength) }
    guard value.utf8.count <= 18, let count = Int(value) else { throw RequestViolation(.contentTooLarge) }
    guard contentLength == nil || contentLength == count else { throw RequestViolation(.badContentLength) }
    contentLength = count
  }
}
