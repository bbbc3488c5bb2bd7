package import HTTPProtocol
package import Observability
package import Transport
package import WebSocketProtocol

/// What is behind an upgraded connection: the chat, or an echo.
///
/// Everything is called on the connection's loop, the connection given along: a receiver holds no reference to it.
package protocol MessageReceiver: AnyObject {
  /// What the connection may carry; asked again after `limitsChanged()` of the connection.
  var limits: MessageLimits { get }
  /// Whether the next message may come; while not, the socket is not read.
  func wantsMore(from connection: Connection) -> Bool
  /// The upgrade is answered; messages may be sent from now on.
  func opened(_ connection: Connection, on loop: isolated EventLoop)
  /// A whole message arrived; its bytes die with the call.
  func received(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, from connection: Connection, on loop: isolated EventLoop)
  /// Some of what waited is sent; told while the socket is not read, and where the connection is to tell of room.
  func roomCame(_ connection: Connection, on loop: isolated EventLoop)
  /// The connection ended; nothing can be sent any more.
  func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop)
}

/// What an HTTP request leads to.
package enum RequestDecision {
  case respond(HTTPResponse)
  case upgrade(any MessageReceiver, ServerHandshake.Acceptance)
  /// The answer comes later, by `Connection.respond` or `Connection.upgrade`; the receiver hears of an end before.
  case wait(any MessageReceiver)
  /// The answer comes later, by `Connection.respond` or `Connection.beginAnswer`, perhaps behind `Connection.receiveBody`.
  case transfer(any RequestTransfer)
}

/// Decides on the requests of a loop's connections.
package protocol RequestHandler: AnyObject {
  func decide(on request: RequestHead, of connection: Connection, on loop: isolated EventLoop) -> RequestDecision
  /// Whether a request may have a body; others are refused where they have one.
  func takesBody(_ request: RequestHead) -> Bool
}

extension RequestHandler {
  package func takesBody(_ request: RequestHead) -> Bool { false }
}
