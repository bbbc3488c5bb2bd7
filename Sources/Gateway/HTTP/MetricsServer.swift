import HTTPProtocol
import Observability
package import Transport

/// The metrics on an address of their own (`metrics.listen`).
package enum MetricsServer {
  /// Starts to accept on a loop.
  package static func start(sockets: ListeningSockets, services: GatewayServices, on loop: EventLoop) async throws {
    try await loop.run { loop in
      let context = ConnectionContext(limits: services.connections, metrics: LoopMetrics(methods: 0, topicKinds: 0))
      context.requests = MetricsRequests(services: services)
      _ = try sockets.accept(on: loop, into: context)
    }
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
