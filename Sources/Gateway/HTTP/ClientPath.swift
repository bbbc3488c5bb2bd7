import HTTPProtocol
package import Transport

/// How a socket reached the gateway, as far as the PROXY protocol tells.
package struct ClientPath: Equatable, Sendable {
  /// The client, or the last proxy before the gateway where that is all that is known.
  package private(set) var end: SocketAddress
  /// Whether a header of the PROXY protocol came.
  package private(set) var isProxied = false
  /// Whether the header names no client: then what is on the connection may be anybody's, behind a proxy that does not look at it.
  package private(set) var isAnonymous = false
  /// Whether the client speaks TLS to the proxy that sent the header.
  package private(set) var isSecure = false

  /// The path of a socket whose peer is all that is known.
  init(peer: SocketAddress) { end = peer }

  /// A trusted peer sent a header.
  mutating func received(_ header: ProxyHeader) {
    isProxied = true
    isSecure = header.isSecure ?? false
    switch header.source {
    case .client(let address, let port): end = SocketAddress(address, port: port)
    // The specification: where no client is named the address of the socket holds.
    case .proxy, .unknown: isAnonymous = true
    }
  }
}
