/// An address to listen on, as the configuration writes it.
package enum ListenAddress: Sendable, Equatable {
  /// A host name or an IP address (IPv6 without its brackets) with a port; port 0 takes a free one.
  case tcp(host: String, port: UInt16)
  /// A socket file.
  case unix(path: String)

  /// Reads `HOST:PORT`, `[IPv6]:PORT` or `unix:PATH`; nil for anything else.
  package init?(_ text: String) {
    if text.hasPrefix("unix:") {
      let path = text.dropFirst("unix:".count)
      guard !path.isEmpty, !path.utf8.contains(0) else { return nil }
      self = .unix(path: String(path))
      return
    }
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.allSatisfy({ ("0"..."9").contains($0) }), let port = UInt16(digits) else { return nil }
    let host = text[..<colon]
    if host.hasPrefix("["), host.hasSuffix("]") {
      let address = String(host.dropFirst().dropLast())
      guard AddressText.isIPv6(address) else { return nil }
      self = .tcp(host: address, port: port)
    } else {
      guard Self.isHostName(host) else { return nil }
      self = .tcp(host: String(host), port: port)
    }
  }

  private static func isHostName(_ host: Substring) -> Bool {
    let isWord = host.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
      case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      default: false
      }
    }
    guard isWord, (1...253).contains(host.utf8.count) else { return false }
    // Digits and dots alone are an address, and then a right one.
    return host.contains(where: \.isLetter) || AddressText.isIPv4(String(host))
  }

  /// Whether only programs of this machine reach it over TCP.
  package var isLoopback: Bool {
    switch self {
    case .tcp(let host, _):
      if host.lowercased() == "localhost" { return true }
      return (AddressText.isIPv4(host) && host.hasPrefix("127.")) || AddressText.isIPv6Loopback(host)
    case .unix: return false
    }
  }

  /// Whether other machines may reach it: neither loopback nor a socket file.
  package var isReachableFromOutside: Bool {
    switch self {
    case .tcp: !isLoopback
    case .unix: false
    }
  }
}
