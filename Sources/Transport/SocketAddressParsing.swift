import Glibc

/// What is wrong with the text of an address.
package enum SocketAddressError: Error, Equatable, Sendable, CustomStringConvertible {
  /// There is no `:port` at the end.
  case missingPort(String)
  /// The port is no number from 0 to 65535.
  case badPort(String)
  /// The host is none that can be listened on.
  case badHost(String)
  /// The brackets of an IPv6 address are missing or do not match.
  case badBrackets(String)
  /// What follows the `%` is neither a number nor an interface.
  case badScope(String)
  /// The path of the unix socket is empty, has a NUL in it, or more than 107 bytes.
  case badPath(String)

  package var description: String {
    switch self {
    case .missingPort(let text): "address \"\(text)\" has no port: write it like 127.0.0.1:8080, [::1]:8080 or unix:/run/parley.sock"
    case .badPort(let port): "port \"\(port)\" is no number from 0 to 65535"
    case .badHost(let host): "host \"\(host)\" is neither an IPv4 address, nor an IPv6 address in brackets, nor localhost"
    case .badBrackets(let text): "address \"\(text)\" needs its IPv6 address in brackets, like [::1]:8080"
    case .badScope(let scope): "scope \"\(scope)\" is neither a number nor a network interface of this machine"
    case .badPath(let path): "path \"\(path)\" of a unix socket must have 1 to 107 bytes"
    }
  }
}

extension SocketAddress {
  /// Reads `127.0.0.1:8080`, `[::1]:8080`, `[fe80::1%eth0]:8080`, `localhost:8080` (127.0.0.1), `:8080` (0.0.0.0) or `unix:/path`.
  ///
  /// Names are not looked up.
  package static func parse(_ text: String) throws(SocketAddressError) -> SocketAddress {
    if text.hasPrefix("unix:") { return try parsePath(String(text.dropFirst(5))) }
    guard let colon = text.lastIndex(of: ":") else { throw .missingPort(text) }
    let host = text[..<colon]
    if host.hasPrefix("[") || host.contains("]") {
      guard host.hasPrefix("["), host.hasSuffix("]") else { throw text.hasSuffix("]") ? .missingPort(text) : .badBrackets(text) }
      return try parseIPv6(host.dropFirst().dropLast(), port: parsePort(text[colon...].dropFirst()))
    }
    guard !host.contains(":") else { throw .badBrackets(text) }
    let port = try parsePort(text[colon...].dropFirst())
    switch host {
    case "": return .ipv4(IPv4Address(bits: 0), port: port)
    case "localhost": return .ipv4(IPv4Address(127, 0, 0, 1), port: port)
    default:
      guard let address = IPv4Address(String(host)) else { throw .badHost(String(host)) }
      return .ipv4(address, port: port)
    }
  }

  private static func parsePath(_ path: String) throws(SocketAddressError) -> SocketAddress {
    guard (1...maximumPathLength).contains(path.utf8.count), !path.utf8.contains(0) else { throw .badPath(path) }
    return .unix(path)
  }

  private static func parsePort(_ text: Substring) throws(SocketAddressError) -> UInt16 {
    guard text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }), let port = UInt16(text) else {
      throw .badPort(String(text))
    }
    return port
  }

  private static func parseIPv6(_ text: Substring, port: UInt16) throws(SocketAddressError) -> SocketAddress {
    let parts = text.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let first = parts.first, let address = IPv6Address(first) else { throw .badHost(String(text)) }
    guard parts.count == 2, let name = parts.last else { return SocketAddress(address, port: port, scope: 0) }
    guard let scope = UInt32(name) ?? interfaceNumber(name) else { throw .badScope(name) }
    return SocketAddress(address, port: port, scope: scope)
  }

  private static func interfaceNumber(_ name: String) -> UInt32? {
    let number = name.utf8.contains(0) ? 0 : if_nametoindex(name)
    return number == 0 ? nil : number
  }
}
