/// Why a connection was turned away, or one of its requests: a label in metrics and log lines.
package enum ConnectionRefusal: UInt8, Sendable, CaseIterable {
  /// The client's address has too many connections: 429.
  case addressLimit
  /// There are `server.limits.connections`: 503.
  case connectionLimit
  /// The descriptors are taken but for the last, which serve health checks: 503.
  case descriptorLimit
  /// A socket beyond a limit made room for the next one.
  case evicted
  /// A trusted proxy sent a malformed PROXY header: 400.
  case proxyHeader
  /// A trusted proxy's header fields name two clients: 400.
  case forwardingConflict

  /// The label in metrics and log lines.
  package var label: String {
    switch self {
    case .addressLimit: "address_limit"
    case .connectionLimit: "connection_limit"
    case .descriptorLimit: "descriptor_limit"
    case .evicted: "evicted"
    case .proxyHeader: "proxy_header"
    case .forwardingConflict: "forwarding_conflict"
    }
  }
}
