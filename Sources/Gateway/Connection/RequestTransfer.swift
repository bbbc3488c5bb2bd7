package import Observability
package import Transport

/// What takes the body of a request, or makes an answer piece by piece.
///
/// Everything is called on the connection's loop, the connection given along: a transfer holds no reference to it.
package protocol RequestTransfer: AnyObject {
  /// Bytes of the body arrived, which die with the call; no more come before `Connection.takeMore`, and none after the last.
  func bodyArrived(_ bytes: UnsafeRawBufferPointer, isLast: Bool, from connection: Connection, on loop: isolated EventLoop)
  /// All of the answer that was handed over is with the kernel.
  func roomCame(_ connection: Connection, on loop: isolated EventLoop)
  /// The request is over, answered or not; nothing can be sent any more.
  func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop)
}
