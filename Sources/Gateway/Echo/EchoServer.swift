import Observability
package import Transport
package import WebSocketProtocol

/// The connection stack with nothing behind it but an echo.
package enum EchoServer {
  /// Starts to accept on loops; it runs until the process ends.
  package static func start(
    sockets: ListeningSockets, loops: [EventLoop], tls: TLSWorkspace.Source? = nil, compression: DeflatePolicy = DeflatePolicy()
  ) async throws {
    for loop in loops {
      try await loop.run { loop in
        var limits = ConnectionLimits()
        // A message of 64 MiB comes back whole.
        limits.outboundBytes = 256 << 20
        limits.inflatedPerSecond = 0
        limits.compression = compression
        let context = ConnectionContext(
          limits: limits, metrics: LoopMetrics(methods: 0, topicKinds: 0), tls: tls.map { TLSWorkspace($0, on: loop) }, on: loop)
        context.requests = EchoRequests(compression: compression)
        _ = try sockets.accept(on: loop, into: context)
        loop.start()
      }
    }
  }
}
