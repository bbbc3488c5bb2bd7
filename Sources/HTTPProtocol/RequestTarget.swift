/// A request target taken apart (RFC 9112 §3.2).
struct RequestTarget: Equatable, Sendable {
  /// The authority of an absolute target, else `nil`.
  private(set) var authority: String?
  private(set) var path = ""
  private(set) var query: String?

  /// No target yet.
  init() {}

  /// Takes the target of a request line apart.
  ///
  /// The origin form is for all methods, the asterisk form for OPTIONS, the absolute form for clients that think they talk to a proxy. The
  /// authority form belongs to CONNECT, which nobody serves here.
  init(_ line: RequestLine) throws(RequestViolation) {
    let bytes = line.target.utf8
    guard Self.hasWholeEscapes(bytes) else { throw RequestViolation(.badTarget) }
    if bytes.first == UInt8(ascii: "/") {
      split(bytes[...])
    } else if line.target == "*", line.method == "OPTIONS" {
      path = "*"
    } else {
      try splitAbsolute(bytes)
    }
  }

  private mutating func splitAbsolute(_ bytes: String.UTF8View) throws(RequestViolation) {
    for scheme in ["http://", "https://"] where ASCII.equal(bytes.prefix(scheme.utf8.count), scheme.utf8) {
      let rest = bytes.dropFirst(scheme.utf8.count)
      let host = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
      guard !host.isEmpty, Self.isAuthority(host) else { throw RequestViolation(.badTarget) }
      authority = String(Substring(host))
      split(rest[host.endIndex...])
      if path.isEmpty { path = "/" }
      return
    }
    throw RequestViolation(.badTarget)
  }

  private mutating func split(_ bytes: Substring.UTF8View) {
    let path = bytes.prefix { $0 != UInt8(ascii: "?") }
    self.path = String(Substring(path))
    query = path.endIndex < bytes.endIndex ? String(Substring(bytes[path.endIndex...].dropFirst())) : nil
  }

  /// A visible character that no client sends unescaped: a fragment, or what ends a link in text.
  static func isForbidden(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "#") || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "<") || byte == UInt8(ascii: ">")
  }

  /// Whether these bytes can be a host with or without a port (RFC 3986 §3.2.2 and §3.2.3); no user name may stand before it
  /// (RFC 9110 §4.2.4).
  static func isAuthority(_ bytes: some Collection<UInt8>) -> Bool {
    let colon = UInt8(ascii: ":")
    var port = bytes[...]
    if bytes.first == UInt8(ascii: "[") {
      guard let end = bytes.firstIndex(of: UInt8(ascii: "]")) else { return false }
      guard bytes[..<end].dropFirst().allSatisfy({ $0 == colon || isHostByte($0) }) else { return false }
      port = bytes[end...].dropFirst()
    } else {
      port = bytes.drop { $0 != colon }
      guard bytes[..<port.startIndex].allSatisfy(isHostByte) else { return false }
    }
    return port.isEmpty || port.first == colon && port.dropFirst().allSatisfy(ASCII.isDigit)
  }

  /// Whether the byte stands in names of hosts: unreserved, a sub-delimiter, or of an escape (RFC 3986 §3.2.2).
  private static func isHostByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: ","): true
    case UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "|"), UInt8(ascii: "#"): false
    default: ASCII.isToken(byte)
    }
  }

  private static func hasWholeEscapes(_ bytes: String.UTF8View) -> Bool {
    var open = 0
    for byte in bytes {
      if open > 0 {
        guard ASCII.isHexDigit(byte) else { return false }
        open -= 1
      } else if byte == UInt8(ascii: "%") {
        open = 2
      }
    }
    return open == 0
  }
}
