import HTTPProtocol
import Observability
import Transport

/// The metrics and the health checks on an address of their own (`metrics.listen`), in plain text.
///
/// So a check does not stand in the line of TLS handshakes behind a crowd of clients that come back. What it does is in no metric itself: its
/// connections are no clients'.
final class MetricsServer {
  private let context: ConnectionContext
  private var listeners: [Listener]

  /// Starts to accept on a loop.
  init(sockets: ListeningSockets, services: GatewayServices, on loop: isolated EventLoop) throws(SocketError) {
    context = ConnectionContext(limits: services.connections, metrics: LoopMetrics(methods: 0, topicKinds: 0), on: loop)
    context.requests = MetricsRequests(monitoring: services.monitoring, isLoopbackOnly: sockets.addresses.allSatisfy(\.isLoopback))
    listeners = try sockets.accept(on: loop, into: context)
  }

  /// Accepts no more, ends the connections when what they owe is sent, and then calls `done`.
  func stop(on loop: isolated EventLoop, done: @escaping @Sendable () -> Void) {
    for listener in listeners { listener.close(on: loop) }
    listeners = []
    context.endAll(on: loop, done: done)
  }
}

/// Answers `/metrics` and the health addresses to whoever reaches its address, and nothing else; on loopback not to pages of the internet.
final class MetricsRequests: RequestHandler {
  private let monitoring: Monitoring
  private let isLoopbackOnly: Bool

  private static let foreignHost = HTTPResponse.text(
    400, "Host must be localhost or a loopback address here, unless metrics.allow names the client")
  private static let nothing = HTTPResponse.text(404, "There is nothing here but /metrics, /livez and /readyz")

  init(monitoring: Monitoring, isLoopbackOnly: Bool) {
    self.monitoring = monitoring
    self.isLoopbackOnly = isLoopbackOnly
  }

  func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
    guard request.method == "GET" || request.method == "HEAD" else { return .respond(Self.nothing) }
    if request.path == "/metrics" { return .respond(metrics(to: request, of: connection)) }
    return .respond(HealthResponse.answer(to: request.path, of: monitoring, at: loop.now.milliseconds) ?? Self.nothing)
  }

  private func metrics(to request: RequestHead, of connection: Connection) -> HTTPResponse {
    // A page of the internet can name a host of its own that resolves to this machine (DNS rebinding); other addresses are the operator's
    // to protect, and are asked by names that nobody knows here.
    let mayRead = !isLoopbackOnly || OriginPolicy.isLoopback(host: request.host) || monitoring.allows(connection.peer)
    return mayRead ? .metrics(of: monitoring, to: connection) : Self.foreignHost
  }
}

extension HTTPResponse {
  /// The page of metrics, which is made at the cost of who asks.
  static func metrics(of monitoring: Monitoring, to connection: Connection) -> HTTPResponse {
    connection.context.work.page()
    let text = monitoring.metricsPage()
    return HTTPResponse(status: 200, fields: [HeaderField("Content-Type", PrometheusText.contentType)], body: Array(text.utf8))
  }
}
