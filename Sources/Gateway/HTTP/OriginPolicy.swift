import HTTPProtocol
import Transport

/// Which pages may open a WebSocket (`docs/protocol.md`, Transport).
struct OriginPolicy: Equatable {
  /// Whether only loopback addresses are listened on.
  let isLoopbackOnly: Bool
  /// Origins that are let in, letter for letter.
  let allowed: Set<String>

  /// The answer to an upgrade that is not let in; nil for one that is.
  func refusal(of request: RequestHead, by route: RequestRoute) -> HTTPResponse? {
    // A page of the internet can name a host of its own that resolves to this machine (DNS rebinding).
    // A host whose origin is let in by name is no such host: a proxy on this machine may keep the Host of its clients. Nor is one of which
    // a trusted proxy told: no page can make a browser say so.
    if isLoopbackOnly, !route.isVouchedFor, !Self.isLoopback(host: route.host), !isHostOfAllowedOrigin(route.host) {
      return .text(
        400, "Host must be localhost, a loopback address or the host of an origin in server.origins, as only this machine is served")
    }
    let origins = request.values(of: "origin")
    guard let origin = origins.first else { return nil }
    guard origins.count == 1 else { return .text(400, "There must be one Origin") }
    // Browsers send ASCII alone (RFC 6454 §6.2). Beyond it two texts can be equal that differ in their bytes, as K and the sign for kelvin.
    let isASCII = origin.utf8.allSatisfy { $0 < 0x80 }
    if isASCII, origin == route.ownOrigin || allowed.contains(origin) { return nil }
    return .text(403, "Pages of this origin are not let in; server.origins lists those that are")
  }

  private func isHostOfAllowedOrigin(_ host: String) -> Bool {
    allowed.contains("https://\(host)") || allowed.contains("http://\(host)")
  }

  /// Whether a host, with a port where it has one, can be nothing but this machine for a browser.
  static func isLoopback(host: String) -> Bool {
    let name: Substring
    if host.hasPrefix("[") {
      guard let end = host.firstIndex(of: "]"), [nil, ":"].contains(host[end...].dropFirst().first) else { return false }
      name = host[...end]
    } else {
      name = host.prefix { $0 != ":" }
    }
    return name.lowercased() == "localhost" || name == "[::1]" || IPv4Address(String(name))?.isLoopback == true
  }
}
