import HTTPProtocol
import Observability
import Transport

/// What each address of the gateway answers (`docs/protocol.md`, HTTP).
final class GatewayRequests: RequestHandler {
  private let hub: ChatHub
  private let services: GatewayServices

  init(hub: ChatHub) {
    self.hub = hub
    services = hub.services
  }

  func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
    if connection.isSpare, !Self.healthPaths.contains(request.path) { return .respond(.full) }
    if request.path == "/ws" { return decideOnUpgrade(request, connection) }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .respond(.text(405, "Only GET and HEAD are answered here", fields: [HeaderField("Allow", "GET, HEAD")]))
    }
    switch request.path {
    case "/": return .respond(PageResponse.page)
    case "/livez": return .respond(HealthResponse.liveness(services.monitoring.silentLoops(at: loop.now.milliseconds)))
    case "/readyz", "/health": return .respond(HealthResponse.readiness(services.monitoring.failedChecks()))
    case "/metrics" where mayReadMetrics(request, connection):
      return .respond(.metrics(services.monitoring.metricsPage()))
    default: return .respond(.text(404, "There is nothing here"))
    }
  }

  /// What is answered even with almost no descriptors left (`config/parley.json5`).
  private static let healthPaths: Set<String> = ["/livez", "/readyz", "/health"]

  private func mayReadMetrics(_ request: RequestHead, _ connection: Connection) -> Bool {
    if connection.peer.isLoopback, !ForwardingFields.arePresent(in: request) { return true }
    return services.monitoring.allows(connection.peer)
  }

  // MARK: - The upgrade

  private func decideOnUpgrade(_ request: RequestHead, _ connection: Connection) -> RequestDecision {
    let origins = OriginPolicy(isLoopbackOnly: services.isLoopbackOnly, allowed: services.reloadable.origins)
    let policy = UpgradeDecision.Policy(
      origins: origins, allowsQueryToken: services.allowsQueryToken, isDraining: services.monitoring.isDraining)
    switch UpgradeDecision(request, policy) {
    case .refuse(let response):
      logRefusal(of: request, response, connection)
      return .respond(response)
    case .letIn(let acceptance): return .upgrade(newSession(request, connection), acceptance)
    case .authenticate(let token, let entry): return enter(token, entry, request, connection)
    }
  }

  /// Browsers hide why an upgrade was refused: whoever runs the gateway finds it here.
  private func logRefusal(of request: RequestHead, _ response: HTTPResponse, _ connection: Connection) {
    services.log.log(
      .info, "upgrade refused", String(decoding: response.body.dropLast(), as: UTF8.self),
      [
        LogField("status", .integer(Int64(response.status))), LogField("peer", .text(connection.peer.description)),
        LogField("host", .text(request.host)), LogField("origin", .text(request.values(of: "origin").first ?? "")),
      ])
  }

  private func enter(_ token: String, _ entry: UpgradeEntry, _ request: RequestHead, _ connection: Connection) -> RequestDecision {
    switch (hub.verify(token), entry) {
    case (.success(let claims), _):
      let session = newSession(request, connection, entry)
      session.enter(claims)
      return .wait(session)
    case (.failure(let problem), .subprotocol(let acceptance)):
      hub.tokenRefused(problem, of: connection)
      return .upgrade(newSession(request, connection, .badToken), acceptance)
    case (.failure(let problem), .header), (.failure(let problem), .badToken):
      hub.tokenRefused(problem, of: connection)
      return .respond(.text(401, problem.sentence, fields: [.bearerChallenge]))
    }
  }

  private func newSession(_ request: RequestHead, _ connection: Connection, _ entry: UpgradeEntry? = nil) -> ChatSession {
    // Guests are let in unasked only where nobody but this machine can come; who comes through a proxy may be anywhere.
    let isForwarded = connection.peer.isUnix || ForwardingFields.arePresent(in: request)
    return hub.newSession(for: connection, mayBeGuest: !isForwarded || !services.reloadable.guestsMustBeDirect, entry)
  }
}

extension HeaderField {
  /// Says how to authenticate (RFC 6750 §3).
  static let bearerChallenge = HeaderField("WWW-Authenticate", "Bearer")
}

extension SocketAddress {
  /// The address without its port, as it is configured; nil for a unix socket.
  var host: String? {
    switch self {
    case .ipv4(let address, _): "\(address)"
    case .ipv6(let address, _, _): "\(address)"
    case .unix: nil
    }
  }

  /// Whether the peer came over a unix socket.
  var isUnix: Bool { if case .unix = self { true } else { false } }
}
