import Transport

/// The network that counts as one client wherever clients are counted by address.
///
/// Who has an IPv6 address has a whole /64 of them, so that is one; an IPv4-mapped address is the IPv4 address already (`SocketAddress`).
enum ClientNetwork: Hashable, Sendable {
  case ipv4(UInt32)
  case ipv6(prefix: UInt64)

  /// The network of an address; nil for a unix socket, behind which nobody can be told apart.
  init?(_ address: SocketAddress) {
    switch address {
    case .ipv4(let address, port: _): self = .ipv4(address.bits)
    case .ipv6(let address, port: _, scope: _): self = .ipv6(prefix: address.high)
    case .unix: return nil
    }
  }
}
