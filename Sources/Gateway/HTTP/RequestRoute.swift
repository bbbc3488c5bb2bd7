import HTTPProtocol
import Transport

/// Who makes a request, and what it asks for, as far as the proxies in between are believed.
struct RequestRoute: Equatable {
  /// The client by whose address limits count and metrics are given out; the last trusted proxy's where nothing else is known.
  let client: SocketAddress
  /// Whether `client` is known to ask: it did so itself, or a trusted proxy named it; else it is a proxy before which anybody may stand.
  let isClientKnown: Bool
  /// Whether a proxy stands in between, trusted or not: then nothing is granted for being on this machine.
  let isForwarded: Bool
  /// Whether a trusted proxy told of the client.
  let isVouchedFor: Bool
  /// Whether the client speaks TLS, to the gateway or to a trusted proxy.
  let isSecure: Bool
  /// The host that the client asked for, with a port where it has one.
  let host: String

  /// Follows a request back to its client.
  ///
  /// Header fields are believed only where the socket, or the header of the PROXY protocol on it, comes from a trusted proxy. A trusted proxy
  /// that tells nothing is a proxy all the same: who sits behind it may be anywhere. Behind a header that names nobody no field is read: the
  /// proxy passes on bytes, so the fields are its client's own.
  ///
  /// - Parameters:
  ///   - path: How the socket reached the gateway.
  ///   - proxies: Whom to believe.
  ///   - isEncrypted: Whether the socket itself carries TLS.
  init(
    _ request: RequestHead, by path: ClientPath, trusting proxies: TrustedProxies, isEncrypted: Bool
  ) throws(ForwardedRoute.Conflict) {
    let hasFields = ForwardingFields.arePresent(in: request)
    let wasSecure = isEncrypted || path.isSecure
    guard proxies.contains(path.end), !path.isAnonymous else {
      client = path.end
      // A client that a proxy's header names is a proxy too where the fields say so.
      isClientKnown = !hasFields && !path.isAnonymous && !path.end.isUnix
      isForwarded = hasFields || path.isProxied || path.end.isUnix
      isVouchedFor = path.isProxied
      isSecure = wasSecure
      host = request.host
      return
    }
    let told = try ForwardedRoute(request) { proxies.contains(SocketAddress($0, port: 0)) }
    client = if case .address(let address, let port) = told.client { SocketAddress(address, port: port ?? 0) } else { path.end }
    // The way ends at a trusted proxy where that names nobody.
    isClientKnown = !proxies.contains(client)
    isForwarded = true
    isVouchedFor = hasFields || path.isProxied
    isSecure = told.isSecure ?? wasSecure
    host = told.host ?? request.host
  }

  /// Whether this machine asks itself: neither a proxy stands in between, nor a page of the internet whose host was made to lead here (DNS
  /// rebinding).
  var isOfThisMachine: Bool { client.isLoopback && !isForwarded && OriginPolicy.isLoopback(host: host) }

  /// The origin of pages that come from where the request goes (RFC 6454 §6.2).
  var ownOrigin: String { "\(isSecure ? "https" : "http")://\(host)" }
}
