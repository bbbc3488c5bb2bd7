/// An address, or all addresses that begin with the same bits.
package struct Network: Hashable, Sendable {
  private enum Prefix: Hashable, Sendable {
    case ipv4(IPv4Address, length: Int)
    case ipv6(IPv6Address, length: Int)
  }

  private let prefix: Prefix

  /// Reads `10.1.2.3`, `10.0.0.0/8`, `2001:db8::1` or `2001:db8::/32`; nil for anything else.
  ///
  /// A network of IPv4-mapped addresses is the IPv4 network: mapped addresses do not occur elsewhere (`SocketAddress`).
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard let host = parts.first else { return nil }
    if let address = IPv4Address(host) {
      guard let length = Self.length(parts, most: 32) else { return nil }
      prefix = .ipv4(address, length: length)
    } else if let address = IPv6Address(host) {
      guard let length = Self.length(parts, most: 128) else { return nil }
      prefix = address.mapped.flatMap { length >= 96 ? .ipv4($0, length: length - 96) : nil } ?? .ipv6(address, length: length)
    } else {
      return nil
    }
  }

  private static func length(_ parts: [String], most: Int) -> Int? {
    guard parts.count > 1 else { return most }
    // `Int` takes signs and leading zeros, which the configuration refuses.
    guard let length = Int(parts[1]), (0...most).contains(length), parts[1] == String(length) else { return nil }
    return length
  }

  /// Whether an address lies in the network; never so for a unix socket.
  package func contains(_ address: SocketAddress) -> Bool {
    switch (prefix, address) {
    case (.ipv4(let network, let length), .ipv4(let address, port: _)):
      Self.agree(UInt64(network.bits) << 32, UInt64(address.bits) << 32, length)
    case (.ipv6(let network, let length), .ipv6(let address, port: _, scope: _)):
      Self.agree(network.high, address.high, length) && Self.agree(network.low, address.low, length - 64)
    case (.ipv4, .ipv6), (.ipv6, .ipv4), (_, .unix): false
    }
  }

  /// Whether the first bits of two words are the same; of none they are.
  private static func agree(_ one: UInt64, _ other: UInt64, _ length: Int) -> Bool {
    length <= 0 || (one ^ other) >> UInt64(64 - min(length, 64)) == 0
  }
}
