/// What one proxy told of a request that it passed on: an element of `Forwarded` (RFC 7239 §4), or its part of the older fields.
package struct ForwardedElement: Equatable, Sendable {
  /// Who asked that proxy.
  package enum Node: Equatable, Sendable {
    /// An address, with a port where one was told.
    case address(ForwardedAddress, port: UInt16?)
    /// It does not say, says `unknown` or `_hidden`, or what it says is malformed.
    case unknown
  }

  /// Who asked that proxy.
  package var node: Node
  /// Whether it was asked over TLS; nil where it does not say.
  package var isSecure: Bool?
  /// The host that it was asked for; nil where it does not say.
  package var host: String?

  /// Makes an element from its parts; without any it tells nothing.
  package init(node: Node = .unknown, isSecure: Bool? = nil, host: String? = nil) {
    self.node = node
    self.isSecure = isSecure
    self.host = host
  }

  /// Reads one element of `Forwarded`, which tells nothing where it is malformed: no part of it can be trusted then.
  init(_ text: ArraySlice<UInt8>) {
    self.init()
    var element = self
    var names: Set<[UInt8]> = []
    var rest = text
    while Self.skipSeparators(&rest) {
      guard let pair = Self.takePair(from: &rest), names.insert(pair.name).inserted else { return }
      element.take(pair.name, pair.value)
    }
    self = element
  }

  private mutating func take(_ name: [UInt8], _ value: [UInt8]) {
    switch String(decoding: name, as: UTF8.self) {
    case "for": node = Self.node(value)
    case "proto": isSecure = Self.isSecure(scheme: value)
    case "host": host = Self.host(value)
    default: break
    }
  }

  // MARK: - Pairs

  /// Skips blanks and semicolons, between which the grammar lets pairs be missing; says whether something is left.
  private static func skipSeparators(_ rest: inout ArraySlice<UInt8>) -> Bool {
    rest = rest.drop { ASCII.isBlank($0) || $0 == semicolon }
    return !rest.isEmpty
  }

  /// Takes `name=value` off the beginning; nil where that, and then nothing or a semicolon, is not what stands there.
  private static func takePair(from rest: inout ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8])? {
    let name = rest.prefix(while: ASCII.isToken)
    rest = rest[name.endIndex...]
    guard !name.isEmpty, rest.popFirst() == UInt8(ascii: "="), let value = takeValue(from: &rest) else { return nil }
    guard [nil, semicolon].contains(rest.first { !ASCII.isBlank($0) }) else { return nil }
    return (name.map(ASCII.lowercased), value)
  }

  /// Takes a token or a quoted string (RFC 9110 §5.6.4).
  private static func takeValue(from rest: inout ArraySlice<UInt8>) -> [UInt8]? {
    guard rest.first == quote else {
      let token = rest.prefix(while: ASCII.isToken)
      rest = rest[token.endIndex...]
      return token.isEmpty ? nil : Array(token)
    }
    rest = rest.dropFirst()
    var value: [UInt8] = []
    while let byte = rest.popFirst() {
      if byte == quote { return value }
      guard byte == backslash else {
        value.append(byte)
        continue
      }
      guard let escaped = rest.popFirst() else { return nil }
      value.append(escaped)
    }
    return nil
  }

  static let quote = UInt8(ascii: "\"")
  static let backslash = UInt8(ascii: "\\")
  private static let semicolon = UInt8(ascii: ";")

  // MARK: - Values

  /// Reads a node (RFC 7239 §6): an IPv4 address, or an IPv6 address in brackets, perhaps with a port.
  static func node(_ text: [UInt8]) -> Node {
    let colon = UInt8(ascii: ":")
    if text.first == UInt8(ascii: "[") {
      guard let end = text.firstIndex(of: UInt8(ascii: "]")) else { return .unknown }
      guard let address = ForwardedAddress(text[1..<end]), text[..<end].contains(colon) else { return .unknown }
      return node(address, port: text[(end + 1)...])
    }
    let host = text.prefix { $0 != colon }
    guard let bits = ForwardedAddress.ipv4(host) else { return .unknown }
    return node(.ipv4(bits), port: text[host.endIndex...])
  }

  /// A node with what stands behind its address: nothing, or a colon and a port, which may be hidden (`:_p`).
  private static func node(_ address: ForwardedAddress, port: ArraySlice<UInt8>) -> Node {
    guard !port.isEmpty else { return .address(address, port: nil) }
    guard port.first == UInt8(ascii: ":") else { return .unknown }
    let name = port.dropFirst()
    if name.first == UInt8(ascii: "_"), name.count > 1, ASCII.isToken(name) { return .address(address, port: nil) }
    guard let number = ForwardedAddress.decimal(name, most: 65_535) else { return .unknown }
    return .address(address, port: UInt16(number))
  }

  static func isSecure(scheme: some Collection<UInt8>) -> Bool? {
    if ["https", "wss"].contains(where: { ASCII.equal(scheme, $0.utf8) }) { return true }
    return ["http", "ws"].contains { ASCII.equal(scheme, $0.utf8) } ? false : nil
  }

  static func host(_ text: some Collection<UInt8>) -> String? {
    text.isEmpty || !RequestTarget.isAuthority(text) ? nil : String(decoding: text, as: UTF8.self)
  }
}
