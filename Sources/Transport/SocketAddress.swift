/// Where a socket listens, or whom it talks to.
package enum SocketAddress: Hashable, Sendable {
  /// An IPv4 address and a port.
  case ipv4(IPv4Address, port: UInt16)
  /// An IPv6 address and a port; the scope is the number of an interface for link-local addresses, else 0.
  case ipv6(IPv6Address, port: UInt16, scope: UInt32)
  /// The path of a unix socket; empty for a peer without a name, which a client usually is.
  case unix(String)

  /// The address that is meant: an IPv4-mapped IPv6 address is the IPv4 address.
  init(_ address: IPv6Address, port: UInt16, scope: UInt32) {
    self = address.mapped.map { .ipv4($0, port: port) } ?? .ipv6(address, port: port, scope: scope)
  }

  /// Whether only this machine can be at the other end by TCP.
  ///
  /// False for a unix socket: behind one there is usually a proxy, and its peers may be anywhere.
  package var isLoopback: Bool {
    switch self {
    case .ipv4(let address, _): address.isLoopback
    case .ipv6(let address, _, _): address.isLoopback
    case .unix: false
    }
  }

  /// The port; nil for a unix socket.
  package var port: UInt16? {
    switch self {
    case .ipv4(_, let port), .ipv6(_, let port, _): port
    case .unix: nil
    }
  }
}

extension SocketAddress: CustomStringConvertible {
  /// The form that `parse` reads.
  package var description: String {
    switch self {
    case .ipv4(let address, let port): "\(address):\(port)"
    case .ipv6(let address, let port, 0): "[\(address)]:\(port)"
    case .ipv6(let address, let port, let scope): "[\(address)%\(scope)]:\(port)"
    case .unix(let path): "unix:\(path)"
    }
  }
}
