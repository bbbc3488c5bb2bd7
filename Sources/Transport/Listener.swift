/// Whom a listener gives its connections to.
package protocol AcceptTarget: AnyObject {
  /// Takes over an accepted descriptor, which is nonblocking and not registered.
  func accepted(_ descriptor: CInt, from peer: SocketAddress, on loop: isolated EventLoop)
}

/// Accepts the connections of a listening socket on one loop.
package final class Listener: SocketHandler {
  /// An `AcceptTarget` as a closure, for one that needs nothing that lives on the loop: the compiler refuses to capture that.
  package typealias Acceptance = (_ descriptor: CInt, _ peer: SocketAddress, _ loop: isolated EventLoop) -> Void
  /// Takes one waiting connection, like `Socket.accept`.
  package typealias Acceptor = (_ listener: CInt) throws(SocketError) -> (descriptor: CInt, peer: SocketAddress)?

  private let descriptor: CInt
  private let accept: Acceptor
  private let target: any AcceptTarget
  private var pause: TimerID?
  private var isClosed = false

  /// The most connections taken in one turn, so that open ones are served in between.
  private static var batch: Int { 64 }
  /// How long nothing is accepted after an error, in milliseconds.
  private static var pauseLength: UInt64 { 100 }

  /// A listener that takes a listening socket over; it accepts after `start(on:)`.
  package init(descriptor: CInt, target: any AcceptTarget, accept: @escaping Acceptor = Socket.accept) {
    self.descriptor = descriptor
    self.accept = accept
    self.target = target
  }

  /// The same with a closure.
  package convenience init(descriptor: CInt, accept: @escaping Acceptor = Socket.accept, onAccept: @escaping Acceptance) {
    self.init(descriptor: descriptor, target: ClosureTarget(onAccept), accept: accept)
  }

  /// Whether accepting rests after an error, usually for want of descriptors; connections wait in the kernel's queue.
  package var isPaused: Bool { pause != nil }

  /// Begins to accept.
  package func start(on loop: isolated EventLoop) throws(SocketError) {
    try loop.register(descriptor, for: .read, self)
  }

  /// Stops accepting and closes the socket; connections that wait are reset.
  package func close(on loop: isolated EventLoop) {
    guard !isClosed else { return }
    isClosed = true
    if let pause { loop.cancel(pause) }
    pause = nil
    loop.remove(descriptor)
    Socket.close(descriptor)
  }

  package func ready(_ events: Readiness, on loop: isolated EventLoop) {
    for _ in 0..<Listener.batch where !isClosed {
      do {
        guard let connection = try accept(descriptor) else { return }
        target.accepted(connection.descriptor, from: connection.peer, on: loop)
      } catch {
        rest(on: loop)
        return
      }
    }
  }

  package func flush(on loop: isolated EventLoop) {}

  /// The socket stays readable while connections wait, so asking on would spin.
  private func rest(on loop: isolated EventLoop) {
    loop.change(descriptor, to: [])
    pause = loop.schedule(self, tag: 0, at: loop.now + Listener.pauseLength)
  }
}

private final class ClosureTarget: AcceptTarget {
  private let onAccept: Listener.Acceptance

  init(_ onAccept: @escaping Listener.Acceptance) { self.onAccept = onAccept }

  func accepted(_ descriptor: CInt, from peer: SocketAddress, on loop: isolated EventLoop) {
    onAccept(descriptor, peer, loop)
  }
}

extension Listener: TimerTarget {
  package func timerFired(_ tag: Int, on loop: isolated EventLoop) {
    pause = nil
    loop.change(descriptor, to: .read)
  }
}
