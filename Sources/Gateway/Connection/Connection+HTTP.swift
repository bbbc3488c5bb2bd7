import HTTPProtocol
import Observability
package import Transport
package import WebSocketProtocol

// The request phase.
extension Connection {
  /// Reads requests one after the other; returns how many bytes are done with.
  func readRequests(_ bytes: UnsafeMutableRawBufferPointer, on loop: isolated EventLoop) -> Int {
    var used = 0
    context.work = TurnWork()
    while machine.readsRequests, let exchange {
      guard !context.work.isUsedUp else {
        goOnLater(on: loop)
        return used
      }
      let unread = UnsafeMutableRawBufferPointer(rebasing: bytes[used...])
      switch exchange.parser.parse(UnsafeRawBufferPointer(unread)) {
      case .incomplete: return used
      case .violation(let violation): refuse(violation, first: unread.first, on: loop)
      case .head(let request, let consumed):
        used += consumed
        context.work.request()
        received(request, on: loop)
      }
    }
    switch machine.input {
    // Frames may follow the handshake in the same packet (RFC 6455 §4.1 forbids it to clients; it costs nothing to be kind).
    case .frames: return used + readFrames(UnsafeMutableRawBufferPointer(rebasing: bytes[used...]), on: loop)
    case .proxyHeader, .ciphertext, .requests, .kept, .body: return used
    case .discarded: return bytes.count
    }
  }

  /// Answers what is no request.
  ///
  /// - Parameters:
  ///   - violation: What is wrong with it.
  ///   - first: Its first byte, which tells TLS: that begins with the type of a handshake's record (RFC 8446 §5.1).
  private func refuse(_ violation: RequestViolation, first: UInt8?, on loop: isolated EventLoop) {
    guard first == 0x16, secure == nil else {
      return refuse(.text(violation.status, violation.sentence), cause: .handshakeFailed, on: loop)
    }
    context.metrics.tls.count(.onPlainAddress)
    refuse(.text(400, "No TLS is spoken here; use http:// or ws://"), cause: .handshakeFailed, on: loop)
  }

  private func received(_ request: RequestHead, on loop: isolated EventLoop) {
    exchange?.request = request
    guard !request.expectsBody || context.requests?.takesBody(request) == true else {
      return refuse(.text(413, "This address takes no body"), cause: .requestRefused, on: loop)
    }
    guard let requests = context.requests else { return refuse(.text(503, "Starting"), cause: .requestRefused, on: loop) }
    switch requests.decide(on: request, of: self, on: loop) {
    case .respond(let response): respond(response, on: loop)
    case .upgrade(let receiver, let acceptance):
      self.receiver = receiver
      upgrade(acceptance, on: loop)
    case .wait(let receiver):
      self.receiver = receiver
      machine.requestWaits()
      watch(on: loop)
    case .transfer(let transfer):
      exchange?.transfer = transfer
      machine.requestWaits()
      watch(on: loop)
      setTimer(at: loop.now + context.limits.handshakeMs, on: loop)
    }
  }

  /// Answers the request; the connection stays open for another where both sides want that.
  package func respond(_ response: HTTPResponse, on loop: isolated EventLoop) {
    guard let request = exchange?.request else { return }
    let isRefusal = response.status >= 400
    let keepsAlive = request.keepsAlive && !isRefusal && !isSpare
    let action = machine.answered(isRefusal: isRefusal, keepsAlive: keepsAlive)
    guard action != .nothing else { return }
    if isRefusal { context.metrics.connections.refuse(status: response.status) }
    enqueue(response.bytes(keepsAlive: keepsAlive, isForHead: request.method == "HEAD"), on: loop)
    follow(action, on: loop)
  }

  /// Does what follows an answer.
  func follow(_ action: ConnectionMachine.AnswerAction, on loop: isolated EventLoop) {
    switch action {
    case .readOn:
      tellReceiver(.requestServed, on: loop)
      takeTransfer()?.ended(.requestServed, self, on: loop)
      exchange?.request = nil
      exchange?.pace = nil
      watch(on: loop)
      setTimer(at: loop.now + context.limits.handshakeMs, on: loop)
    case .leave(let cause): leave(cause, on: loop)
    case .nothing: break
    }
  }

  /// Answers with an error that ends the connection.
  func refuse(_ response: HTTPResponse, cause: CloseCause, on loop: isolated EventLoop) {
    context.metrics.connections.refuse(status: response.status)
    enqueue(response.bytes(keepsAlive: false, isForHead: exchange?.request?.method == "HEAD"), on: loop)
    leave(cause, on: loop)
  }

  /// Answers 101; frames go to the receiver from now on.
  package func upgrade(_ acceptance: ServerHandshake.Acceptance, on loop: isolated EventLoop) {
    guard let receiver, machine.upgraded() else { return }
    exchange = nil
    webSocket = WebSocketMachine(role: .server, limits: receiver.limits, allowsCompression: acceptance.deflate != nil)
    codec = acceptance.deflate.map(context.deflates.codec)
    keepAlive = KeepAliveMachine(interval: context.limits.heartbeatMs, grace: context.limits.graceMs, now: loop.now.short)
    enqueue(acceptance.response.bytes(), on: loop)
    // Behind answers that nobody read there may be no room for it.
    guard machine.isWebSocket else { return }
    watch(on: loop)
    scheduleHeartbeat(on: loop)
    receiver.opened(self, on: loop)
  }
}
