import HTTPProtocol
import Observability
import Transport

/// What each address of the gateway answers (`docs/http.md`).
final class GatewayRequests: RequestHandler {
  private let hub: ChatHub
  private let services: GatewayServices
  /// Takes and gives files; nil where none are.
  private let files: FileDesk?

  init(hub: ChatHub, files: FileDesk?) {
    self.hub = hub
    self.files = files
    services = hub.services
  }

  func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
    if let reason = connection.spare, !HealthResponse.paths.contains(request.path) {
      connection.context.metrics.connections.refuse(reason)
      return .respond(.full)
    }
    if request.path == "/ws" { return followAndDecide(on: request, connection) }
    if let files, FileDesk.answers(request.path) {
      guard let route = follow(request, connection) else { return .respond(.text(400, ForwardedRoute.Conflict.sentence)) }
      return files.decide(on: request, by: route, of: connection)
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return .respond(.text(405, "Only GET and HEAD are answered here", fields: [HeaderField("Allow", "GET, HEAD")]))
    }
    if let health = HealthResponse.answer(to: request.path, of: services.monitoring, at: loop.now.milliseconds) {
      return .respond(health)
    }
    switch request.path {
    case "/": return .respond(PageResponse.page)
    case "/metrics" where mayReadMetrics(request, connection):
      return .respond(.metrics(of: services.monitoring, to: connection))
    default: return .respond(.text(404, "There is nothing here"))
    }
  }

  func takesBody(_ request: RequestHead) -> Bool { files != nil && request.method == "POST" && request.path == "/files" }

  private func mayReadMetrics(_ request: RequestHead, _ connection: Connection) -> Bool {
    guard let route = follow(request, connection) else { return false }
    return route.isOfThisMachine || route.isClientKnown && services.monitoring.allows(route.client)
  }

  /// Notes who makes the request; nil where what its proxies say is a contradiction, which is counted.
  private func follow(_ request: RequestHead, _ connection: Connection) -> RequestRoute? {
    do throws(ForwardedRoute.Conflict) {
      let route = try route(of: request, connection)
      connection.client = route.client
      return route
    } catch {
      connection.context.metrics.connections.refuse(.forwardingConflict)
      return nil
    }
  }

  /// Who makes the request.
  private func route(of request: RequestHead, _ connection: Connection) throws(ForwardedRoute.Conflict) -> RequestRoute {
    try RequestRoute(request, by: connection.path, trusting: services.connections.proxies, isEncrypted: connection.isEncrypted)
  }

  // MARK: - The upgrade

  private func followAndDecide(on request: RequestHead, _ connection: Connection) -> RequestDecision {
    guard let route = follow(request, connection) else {
      return refuse(request, .text(400, ForwardedRoute.Conflict.sentence), connection)
    }
    return decideOnUpgrade(request, by: route, connection)
  }

  private func decideOnUpgrade(_ request: RequestHead, by route: RequestRoute, _ connection: Connection) -> RequestDecision {
    let origins = OriginPolicy(isLoopbackOnly: services.isLoopbackOnly, allowed: services.reloadable.origins)
    let policy = UpgradeDecision.Policy(
      origins: origins, allowsQueryToken: services.allowsQueryToken, isDraining: services.monitoring.isDraining,
      compression: services.connections.compression)
    let decision = UpgradeDecision(request, by: route, policy)
    if case .refuse(let response) = decision { return refuse(request, response, connection) }
    guard connection.context.admit(connection) else {
      connection.context.metrics.connections.refuse(.addressLimit)
      return refuse(request, .crowded, connection)
    }
    switch decision {
    case .refuse(let response): return .respond(response)
    case .letIn(let acceptance): return .upgrade(newSession(route, connection), acceptance)
    case .authenticate(let token, let entry): return enter(token, entry, route, connection)
    }
  }

  private func refuse(_ request: RequestHead, _ response: HTTPResponse, _ connection: Connection) -> RequestDecision {
    logRefusal(of: request, response, connection)
    return .respond(response)
  }

  /// Browsers hide why an upgrade was refused: whoever runs the gateway finds it here.
  private func logRefusal(of request: RequestHead, _ response: HTTPResponse, _ connection: Connection) {
    services.log.log(
      .info, "upgrade refused", String(decoding: response.body.dropLast(), as: UTF8.self),
      [
        LogField("status", .integer(Int64(response.status))), LogField("client", .text(connection.client.hostOrUnix)),
        LogField("peer", .text(connection.peer.description)),
        LogField("host", .text(request.host)), LogField("origin", .text(request.values(of: "origin").first ?? "")),
      ])
  }

  private func enter(_ token: String, _ entry: UpgradeEntry, _ route: RequestRoute, _ connection: Connection) -> RequestDecision {
    switch (hub.verify(token), entry) {
    case (.success(let claims), _):
      let session = newSession(route, connection, entry)
      session.enter(claims)
      return .wait(session)
    case (.failure(let problem), .subprotocol(let acceptance)):
      hub.tokenRefused(problem, of: connection)
      return .upgrade(newSession(route, connection, .badToken), acceptance)
    case (.failure(let problem), .header), (.failure(let problem), .badToken):
      hub.tokenRefused(problem, of: connection)
      return .respond(.text(401, problem.sentence, fields: [.bearerChallenge]))
    }
  }

  private func newSession(_ route: RequestRoute, _ connection: Connection, _ entry: UpgradeEntry? = nil) -> ChatSession {
    // Guests are let in unasked only where nobody but this machine can come; who comes through a proxy may be anywhere.
    hub.newSession(for: connection, mayBeGuest: !route.isForwarded || !services.reloadable.guestsMustBeDirect, entry)
  }
}

extension HeaderField {
  /// Says how to authenticate (RFC 6750 §3).
  static let bearerChallenge = HeaderField("WWW-Authenticate", "Bearer")
}

extension SocketAddress {
  /// The address without its port, which a proxy may not tell; `unix` for a unix socket.
  var hostOrUnix: String {
    switch self {
    case .ipv4(let address, _): "\(address)"
    case .ipv6(let address, _, _): "\(address)"
    case .unix: "unix"
    }
  }

  /// Whether the peer came over a unix socket.
  var isUnix: Bool { if case .unix = self { true } else { false } }
}
