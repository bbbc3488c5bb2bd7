import HTTPProtocol
import Observability
import Transport

// What a proxy says before the client's first byte.
extension Connection {
  /// Looks for a header of the PROXY protocol, which only trusted peers may send; says how many bytes it has, or nil where all are done with.
  ///
  /// These are the bytes of the socket, before TLS is begun.
  func readProxyHeader(_ bytes: UnsafeRawBufferPointer, on loop: isolated EventLoop) -> Int? {
    switch ProxyHeaderParser.parse(bytes) {
    case .incomplete:
      keep(bytes, from: 0)
      return nil
    case .absent:
      machine.proxyHeaderPassed()
      return 0
    case .header(let header, let consumed):
      path.received(header)
      client = path.end
      machine.proxyHeaderPassed()
      return consumed
    case .violation(let violation):
      context.metrics.connections.refuse(.proxyHeader)
      secure = nil
      // In plain text even where TLS was to follow: who sends this is a proxy, and its log should tell why.
      refuse(.text(400, violation.sentence), cause: .handshakeFailed, on: loop)
      return nil
    }
  }
}
