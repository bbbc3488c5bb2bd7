import HTTPProtocol
import Observability
import Transport

/// The metrics on an address of their own (`metrics.listen`).
final class MetricsServer {
  private let context: ConnectionContext
  private var listeners: [Listener]

  /// Starts to accept on a loop.
  init(sockets: ListeningSockets, services: GatewayServices, on loop: isolated EventLoop) throws(SocketError) {
    context = ConnectionContext(limits: services.connections, metrics: LoopMetrics(methods: 0, topicKinds: 0))
    context.requests = MetricsRequests(services: services)
    listeners = try sockets.accept(on: loop, into: context)
  }

  /// Accepts no more, ends the connections when what they owe is sent, and then calls `done`.
  func stop(on loop: isolated EventLoop, done: @escaping @Sendable () -> Void) {
    for listener in listeners { listener.close(on: loop) }
    listeners = []
    context.endAll(on: loop, done: done)
  }
}

/// Answers `/metrics` to whoever reaches its address, and nothing else.
final class MetricsRequests: RequestHandler {
  private let services: GatewayServices

  init(services: GatewayServices) { self.services = services }

  func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
    guard request.path == "/metrics", request.method == "GET" || request.method == "HEAD" else {
      return .respond(.text(404, "There is nothing here but /metrics"))
    }
    return .respond(.metrics(services.monitoring.metricsPage()))
  }
}

extension HTTPResponse {
  /// A page of metrics.
  static func metrics(_ text: String) -> HTTPResponse {
    HTTPResponse(status: 200, fields: [HeaderField("Content-Type", PrometheusText.contentType)], body: Array(text.utf8))
  }
}
