import GatewayProtocol
package import Observability
package import Transport
import WebSocketProtocol

/// One socket: HTTP requests first, a WebSocket after the upgrade.
///
/// The machines decide; this class reads, writes, keeps time and does what they say.
package final class Connection: SocketHandler, TimerTarget {
  /// The connection's number on its loop, never used again.
  package let number: UInt64
  /// Who connected.
  package let peer: SocketAddress
  /// Who is meant: the client behind trusted proxies, by whose address limits count; before a request is read it is who is known so far.
  package var client: SocketAddress
  /// How the socket reached the gateway.
  var path: ClientPath
  /// Why the connection serves health checks only; nil for one within all limits.
  let spare: ConnectionRefusal?
  /// What the connection takes up of its client's network; given back at its end.
  var place: ConnectionAdmission.Place?
  let descriptor: CInt
  let context: ConnectionContext

  // Swift checks while it runs that nobody changes a property that somebody else is changing: a tenth of what a short message costs. For
  // the three values here it does so in debug builds alone, which unit tests, the sanitizers and the soak run: their methods are given no
  // connection, and the closures that `outbound` runs touch the queue, TLS and the socket only, so a change has ended when the next begins.
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var machine: ConnectionMachine
  /// TLS on the socket; nil where none is spoken.
  var secure: SecureTransport?
  /// What the request phase needs; gone after the upgrade.
  var exchange: HTTPExchange?
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var webSocket: WebSocketMachine
  /// How messages are compressed; nil where that was not agreed on, and mostly the same for all of a loop.
  var codec: MessageCodec?
  /// Who hears of messages and of the end; known from the request on where the answer to an upgrade comes later.
  var receiver: (any MessageReceiver)?
  var keepAlive: KeepAliveMachine
  #if !DEBUG
    @exclusivity(unchecked)
  #endif
  var outbound: OutboundQueue
  /// Bytes that arrived and were not used: the beginning of a head or a frame, or what waits while nothing is read.
  var rest: [UInt8] = []
  /// Bytes of the pongs that were queued since nothing waited.
  var pongBytes = 0
  /// Whether the receiver is told when some of what waits is sent.
  var tellsRoom = false
  /// What the client may still have inflated.
  var inflateBudget = InflateBudget()
  private var watched = ConnectionMachine.Watch.reads
  private var timer: TimerID?
  /// The timer of `inflateBudget`.
  var inflateTimer: TimerID?

  init(
    descriptor: CInt, number: UInt64, peer: SocketAddress, spare: ConnectionRefusal?, context: ConnectionContext,
    on loop: isolated EventLoop
  ) {
    self.descriptor = descriptor
    self.number = number
    self.peer = peer
    client = peer
    path = ClientPath(peer: peer)
    self.spare = spare
    self.context = context
    let limits = context.limits
    machine = ConnectionMachine(mayBeProxied: limits.proxies.contains(peer), speaksTLS: context.tls != nil)
    secure = context.tls.map { SecureTransport(descriptor: descriptor, workspace: $0) }
    exchange = HTTPExchange(limits: limits.http)
    webSocket = WebSocketMachine(role: .server, limits: MessageLimits(maxMessageBytes: 0))
    keepAlive = KeepAliveMachine(interval: limits.heartbeatMs, grace: limits.graceMs, now: loop.now.short)
    outbound = OutboundQueue(maxBytes: limits.outboundBytes)
  }

  func start(on loop: isolated EventLoop) {
    do {
      try loop.register(descriptor, for: watched.interest, self)
      let limits = context.limits
      setTimer(at: loop.now + (isSpare ? min(limits.handshakeMs, limits.spareMs) : limits.handshakeMs), on: loop)
    } catch { end(.socketError, on: loop) }
  }

  // MARK: - Reading

  package func ready(_ events: Readiness, on loop: isolated EventLoop) {
    if events.rawValue & Readiness.writable.rawValue != 0 { flush(on: loop) }
    switch machine.ready(events) {
    case .receive: receive(on: loop)
    case .awaitTurn: awaitTurn(on: loop)
    case .free(let cause): end(cause, on: loop)
    case .nothing: break
    }
  }

  private func receive(on loop: isolated EventLoop) {
    if let secure, machine.readsCiphertext { return receive(through: secure, on: loop) }
    let buffer = loop.readBuffer
    let kept = rest.count
    // Only what was kept while nothing was read can be so much; an unfinished head or frame header never is.
    guard kept < buffer.count else { return consumeRest(on: loop) }
    if kept > 0 { rest.withUnsafeBytes { buffer.copyMemory(from: $0) } }
    switch Socket.receive(descriptor, into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...])) {
    case .bytes(let count):
      context.metrics.traffic.bytesIn &+= UInt64(truncatingIfNeeded: count)
      arrived(UnsafeMutableRawBufferPointer(rebasing: buffer[..<(kept + count)]), on: loop)
    case .endOfStream: sawEnd(on: loop)
    case .wouldBlock: break
    case .failed: end(machine.causeOfBreak, on: loop)
    }
  }

  /// Takes bytes as they came from the socket.
  private func arrived(_ bytes: UnsafeMutableRawBufferPointer, on loop: isolated EventLoop) {
    guard machine.input == .proxyHeader else { return consume(bytes, on: loop) }
    guard let used = readProxyHeader(UnsafeRawBufferPointer(bytes), on: loop) else { return }
    consume(UnsafeMutableRawBufferPointer(rebasing: bytes[used...]), on: loop)
  }

  func consume(_ bytes: UnsafeMutableRawBufferPointer, on loop: isolated EventLoop) {
    let used: Int
    switch machine.input {
    case .frames:
      keepAlive.receivedTraffic(now: loop.now.short)
      used = readFrames(bytes, on: loop)
    case .requests: used = readRequests(bytes, on: loop)
    case .ciphertext:
      used = 0
      // The header of a proxy may have come alone.
      if !bytes.isEmpty { awaitTurn(on: loop) }
    case .body: used = readBody(UnsafeRawBufferPointer(bytes), on: loop)
    case .proxyHeader, .kept: used = 0
    case .discarded: used = bytes.count
    }
    keep(UnsafeRawBufferPointer(bytes), from: used)
  }

  /// Keeps what was not used for the next time; an idle connection keeps nothing.
  func keep(_ bytes: UnsafeRawBufferPointer, from used: Int) {
    if used < bytes.count {
      rest = Array(bytes[used...])
    } else if !rest.isEmpty {
      rest = []
    }
  }

  /// Goes through what was kept while nothing was read; only at the outermost level, where nobody else uses the loop's buffer.
  func consumeRest(on loop: isolated EventLoop) {
    guard !rest.isEmpty else { return }
    let buffer = loop.readBuffer
    let count = min(rest.count, buffer.count)
    rest.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    consume(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]), on: loop)
  }

  func sawEnd(on loop: isolated EventLoop) {
    follow(machine.peerEnded(hasInput: !rest.isEmpty, hasOutput: waitingBytes > 0), on: loop)
  }

  func follow(_ action: ConnectionMachine.EndAction, on loop: isolated EventLoop) {
    switch action {
    case .free(let cause):
      secure?.sayGoodbye()
      end(cause, on: loop)
    case .leave(let cause): leave(cause, on: loop)
    case .nothing: watch(on: loop)
    }
  }

  /// Whether frames flow.
  package var isWebSocket: Bool { machine.isWebSocket }

  /// Whether requests are read or answered.
  var isHTTP: Bool { machine.isHTTP }

  /// Whether the socket was accepted beyond a limit: it is good for health checks only.
  var isSpare: Bool { spare != nil }

  /// Stops reading messages; `resumeReading` goes on.
  func pauseReading(on loop: isolated EventLoop) {
    machine.paused()
    watch(on: loop)
  }

  /// Reads messages again at the end of the turn, beginning with those that were kept.
  package func resumeReading(on loop: isolated EventLoop) {
    guard machine.resumed() else { return }
    watch(on: loop)
    askForFlush(on: loop)
  }

  /// Lets the others on the loop go first: what is kept is gone through in the next round, and nothing is read before.
  func goOnLater(on loop: isolated EventLoop) {
    if machine.yielded() { context.yields.append(self, on: loop) }
  }

  /// Goes on with what was kept when the work of one go was used up.
  func goOn(on loop: isolated EventLoop) {
    guard machine.roundCame() else { return }
    consumeRest(on: loop)
    if machine.endIsDue { sawEnd(on: loop) }
  }

  /// Asks for a flush also where the kernel takes no more bytes: what is kept does not wait for that.
  func askForFlush(on loop: isolated EventLoop) {
    if machine.flushWanted() { loop.wantsFlush(self) }
  }

  /// Tells the loop what to watch the socket for, where that changed.
  func watch(on loop: isolated EventLoop) {
    let wanted = machine.watch
    guard wanted != watched else { return }
    watched = wanted
    loop.change(descriptor, to: wanted.interest)
  }

  // MARK: - Ending

  /// Says goodbye: nothing follows what is queued, and what arrives is discarded until the peer closes or a while has passed.
  func leave(_ cause: CloseCause, on loop: isolated EventLoop) {
    guard machine.left(because: cause) else { return }
    let transfer = takeTransfer()
    exchange = nil
    rest = []
    watch(on: loop)
    setTimer(at: loop.now + context.limits.farewellMs, on: loop)
    wantFlush(on: loop)
    tellReceiver(cause, on: loop)
    transfer?.ended(cause, self, on: loop)
  }

  /// Frees the socket at once.
  package func end(_ cause: CloseCause, on loop: isolated EventLoop) {
    if machine.isSecuring { context.metrics.tls.count(cause == .handshakeTimeout ? .timedOut : .abandoned) }
    guard let cause = machine.ended(because: cause) else { return }
    for timer in [timer, inflateTimer].compactMap(\.self) { loop.cancel(timer) }
    (timer, inflateTimer) = (nil, nil)
    codec = nil
    loop.remove(descriptor)
    Socket.close(descriptor)
    rest = []
    let transfer = takeTransfer()
    exchange = nil
    // Its goodbye counts too.
    if let secure { countSent(by: secure) }
    secure = nil
    outbound.removeAll()
    tellReceiver(cause, on: loop)
    transfer?.ended(cause, self, on: loop)
    context.remove(self, cause, on: loop)
  }

  /// Ends the connection, at once where it owes nothing, else when what it owes is sent or the time for that is over.
  func finish(on loop: isolated EventLoop) {
    guard waitingBytes == 0 else { return leave(.drained, on: loop) }
    secure?.sayGoodbye()
    end(.drained, on: loop)
  }

  func tellReceiver(_ cause: CloseCause, on loop: isolated EventLoop) {
    guard let receiver else { return }
    self.receiver = nil
    receiver.ended(cause, self, on: loop)
  }

  /// The gateway stops: the connection goes as soon as what it owes is sent.
  ///
  /// - Parameter retryAfterMs: After how many milliseconds the client may come back, where it was told.
  func drain(retryAfterMs: Int? = nil, on loop: isolated EventLoop) {
    switch machine.drained() {
    case .refuseRequest: respond(.restarting, on: loop)
    case .close: close(.serviceRestart, CloseReason.restart.text(retryAfterMs: retryAfterMs), .drained, on: loop)
    case .nothing: break
    }
  }

  // MARK: - Time

  func setTimer(at deadline: Tick, on loop: isolated EventLoop) {
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(self, tag: Self.machineTag, at: deadline)
  }

  /// The tag of the timer that the machine knows of.
  private static let machineTag = 0
  /// The tag of the timer of `inflateBudget`.
  static let inflateTag = 1

  package func timerFired(_ tag: Int, on loop: isolated EventLoop) {
    guard tag == Self.machineTag else { return inflateAgain(on: loop) }
    timer = nil
    switch machine.timeReached(hasInput: !rest.isEmpty) {
    case .refuseRequest: refuse(.text(408, "The request was not finished in time"), cause: .handshakeTimeout, on: loop)
    case .apologize: refuse(.text(503, "The answer took too long"), cause: .overloaded, on: loop)
    case .checkLife: checkLife(on: loop)
    case .checkTransfer: checkTransfer(on: loop)
    case .free(let cause): end(cause, on: loop)
    case .nothing: break
    }
  }
}

extension Tick {
  /// The time cut to 32 bits, for the keep-alive.
  var short: UInt32 { UInt32(truncatingIfNeeded: milliseconds) }
}
