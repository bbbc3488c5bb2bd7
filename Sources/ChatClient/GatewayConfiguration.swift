/// Where a gateway is, and who comes.
public struct GatewayConfiguration: Sendable {
  /// Who comes.
  public enum Authentication: Sendable {
    /// A guest, where the gateway lets guests in; an id may be chosen where it has no key.
    case guest(name: String? = nil, id: String? = nil)
    /// Who has this token; where it expires the chat ends.
    case token(String)
    /// Who has the token that the closure gets, for each connection and before the one in use expires.
    case tokens(@Sendable () async throws -> String)
  }

  /// Which certificates are believed with `wss`.
  public enum Trust: Sendable {
    case system
    /// Those that lead to one of these, in PEM.
    case authorities(pem: String)
  }

  /// As `ws://127.0.0.1:8080/ws` or `wss://chat.example/ws`.
  public var url: String
  public var authentication: Authentication
  public var trust: Trust
  /// How long a call waits for its answer, and for a connection.
  public var callTimeout: Duration

  public init(
    url: String, authentication: Authentication = .guest(), trust: Trust = .system, callTimeout: Duration = .seconds(30)
  ) {
    self.url = url
    self.authentication = authentication
    self.trust = trust
    self.callTimeout = callTimeout
  }
}
