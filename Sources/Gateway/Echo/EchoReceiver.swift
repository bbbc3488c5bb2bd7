package import HTTPProtocol
package import Observability
package import Transport
package import WebSocketProtocol

import Crypto

/// Sends every message back: for conformance suites and benchmarks of the connection stack.
package final class EchoReceiver: MessageReceiver {
  /// Messages to 64 MiB in any number of fragments.
  package let limits = MessageLimits(maxMessageBytes: 64 << 20, maxFragments: .max)

  package init() {}

  package func wantsMore(from connection: Connection) -> Bool { true }

  package func roomCame(_ connection: Connection, on loop: isolated EventLoop) {}

  package func opened(_ connection: Connection, on loop: isolated EventLoop) {}

  package func received(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, from connection: Connection, on loop: isolated EventLoop) {
    connection.send(opcode, payload, on: loop)
  }

  package func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) {}
}

/// Upgrades any path to an echo.
package final class EchoRequests: RequestHandler {
  private let receiver = EchoReceiver()
  private let compression: DeflatePolicy

  package init(compression: DeflatePolicy) { self.compression = compression }

  package func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision {
    guard request.wantsWebSocket else {
      return .respond(.text(426, "This is a WebSocket echo", fields: [HeaderField("Upgrade", "websocket")]))
    }
    switch ServerHandshake.accept(request, compression: compression, sha1: SHA1.digest) {
    case .accept(let acceptance): return .upgrade(receiver, acceptance)
    case .refuse(let violation): return .respond(.text(violation.status, violation.sentence, fields: violation.fields))
    }
  }
}
