/// What the header fields of a request tell of its way, as far as they may be believed.
///
/// Only for a request that a trusted proxy sent. The fields are `Forwarded` (RFC 7239), `X-Forwarded-For`, `-Proto` and `-Host`.
package struct ForwardedRoute: Equatable, Sendable {
  /// `Forwarded` and `X-Forwarded-For` name different clients.
  ///
  /// One of them is then not the proxy's: most proxies set one and pass the other through as the client wrote it. Which one it is cannot be
  /// seen, and believing the wrong one lets anybody choose an address.
  package struct Conflict: Error, Equatable, Sendable {
    /// The sentence for the peer.
    package static let sentence =
      "Forwarded and X-Forwarded-For disagree about the client; the proxy must remove the one that it does not set itself."
  }

  /// The client; `unknown` where the fields name none and the last trusted proxy is all that is known.
  package var client: ForwardedElement.Node = .unknown
  /// Whether the client spoke TLS; nil where that is not told.
  package var isSecure: Bool?
  /// The host that the client asked for; nil where that is not told.
  package var host: String?

  /// A way of which nothing is told.
  package init() {}

  /// Follows the fields of a request back to the client.
  ///
  /// From the right each element names whom its proxy was asked by. The first that is not itself a trusted proxy is the client; an element
  /// that names nobody ends the way at the proxy before it.
  ///
  /// - Parameters:
  ///   - request: What a trusted proxy sent.
  ///   - trusts: Whether an address is one of a trusted proxy.
  package init(_ request: some HasHeaderFields, trusts: (ForwardedAddress) -> Bool) throws(Conflict) {
    let standard = ForwardedChain(forwarded: request).map { Self.follow($0, trusts) }
    let older = ForwardedChain(forwardedFor: request).map { Self.follow($0, trusts) }
    if let standard, let older, !Self.agree(standard.client, older.client) { throw Conflict() }
    self = standard ?? older ?? ForwardedRoute()
    isSecure = isSecure ?? Self.last(of: "x-forwarded-proto", in: request).flatMap { ForwardedElement.isSecure(scheme: $0) }
    host = host ?? Self.last(of: "x-forwarded-host", in: request).flatMap { ForwardedElement.host($0) }
  }

  private static func follow(_ chain: ForwardedChain, _ trusts: (ForwardedAddress) -> Bool) -> ForwardedRoute {
    var chain = chain
    var route = ForwardedRoute()
    while let element = chain.next() {
      // The proxy that added the element is trusted, so what it was asked for is true even where it hides by whom.
      route.isSecure = element.isSecure
      route.host = element.host
      guard case .address(let address, _) = element.node else { break }
      route.client = element.node
      guard trusts(address) else { break }
    }
    return route
  }

  private static func agree(_ one: ForwardedElement.Node, _ other: ForwardedElement.Node) -> Bool {
    switch (one, other) {
    case (.address(let one, _), .address(let other, _)): one == other
    case (.unknown, .unknown): true
    case (.address, .unknown), (.unknown, .address): false
    }
  }

  /// The last item of a list: the one that the sender of the request wrote itself.
  private static func last(of name: String, in request: some HasHeaderFields) -> ArraySlice<UInt8>? {
    guard let value = request[name] else { return nil }
    let items = Array(value.utf8).split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    return items.last.map { ASCII.trimmed($0) }
  }
}
