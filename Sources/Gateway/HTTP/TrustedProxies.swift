import HTTPProtocol
package import Transport

/// The proxies that are believed (`server.proxies`).
package struct TrustedProxies: Hashable, Sendable {
  private let networks: [Network]
  private let includesUnix: Bool

  /// Reads the items of `server.proxies`: addresses, networks, and `unix` for whoever connects to a unix socket of the gateway.
  package init(_ texts: [String] = []) {
    networks = texts.compactMap(Network.init)
    includesUnix = texts.contains("unix")
  }

  /// Whether an address is a proxy's that is believed.
  package func contains(_ address: SocketAddress) -> Bool {
    if case .unix = address { return includesUnix }
    return networks.contains { $0.contains(address) }
  }
}

extension SocketAddress {
  /// An address as a proxy tells it.
  init(_ address: ForwardedAddress, port: UInt16) {
    switch address {
    case .ipv4(let bits): self = .ipv4(IPv4Address(bits: bits), port: port)
    case .ipv6(let high, let low): self = .ipv6(IPv6Address(high: high, low: low), port: port, scope: 0)
    }
  }
}
