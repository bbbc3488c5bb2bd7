/// The address of a gateway in its parts (RFC 6455 §3).
struct GatewayAddress: Equatable {
  let isSecure: Bool
  /// A name, or an address without brackets.
  let host: String
  let port: UInt16
  /// Path and query.
  let path: String

  /// Reads `ws://host[:port][/path]` or `wss://…`; nil for anything else.
  init?(_ text: String) {
    let schemes = [("ws://", false, UInt16(80)), ("wss://", true, UInt16(443))]
    guard let (scheme, isSecure, usual) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }) else { return nil }
    let rest = text.dropFirst(scheme.count)
    let end = rest.firstIndex { "/?#".contains($0) } ?? rest.endIndex
    guard !rest[end...].contains("#"), !rest[..<end].contains("@") else { return nil }
    let path = rest[end...]
    guard let (host, port) = Self.authority(rest[..<end], usual) else { return nil }
    self.isSecure = isSecure
    self.host = host
    self.port = port
    self.path = path.isEmpty ? "/ws" : path.hasPrefix("/") ? String(path) : "/\(path)"
  }

  private static func authority(_ text: Substring, _ usual: UInt16) -> (String, UInt16)? {
    let host: Substring
    let rest: Substring
    if text.hasPrefix("["), let end = text.firstIndex(of: "]") {
      (host, rest) = (text[..<end].dropFirst(), text[text.index(after: end)...])
    } else {
      let colon = text.firstIndex(of: ":") ?? text.endIndex
      (host, rest) = (text[..<colon], text[colon...])
    }
    guard !host.isEmpty, host.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
    if rest.isEmpty { return (String(host), usual) }
    guard rest.hasPrefix(":"), let port = UInt16(rest.dropFirst()), port > 0 else { return nil }
    return (String(host), port)
  }

  /// What stands in the field `Host`.
  var hostField: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }
}
