import Compression
import GatewayProtocol
package import Observability
package import Transport
package import WebSocketProtocol

// The WebSocket phase.
extension Connection {
  /// Takes frames until more bytes are needed; returns how many bytes are done with.
  func readFrames(_ bytes: UnsafeMutableRawBufferPointer, on loop: isolated EventLoop) -> Int {
    guard let receiver else { return bytes.count }
    // Each look at what others may change too is checked by Swift while it runs; with short messages that counts.
    var (offset, before) = (0, 0)
    var mayInflate = !inflateBudget.isWaiting
    var messages: UInt64 = 0
    defer { context.metrics.traffic.messagesIn &+= messages }
    context.work = TurnWork()
    while machine.isWebSocket {
      guard mayInflate, receiver.wantsMore(from: self) else {
        pauseReading(on: loop)
        return offset
      }
      guard context.work.frame(after: offset - before) else {
        goOnLater(on: loop)
        return offset
      }
      before = offset
      switch webSocket.next(bytes, &offset) {
      case .needMore: return offset
      case .consumed, .pong: break
      case .message(let opcode, let payload):
        messages += 1
        receiver.received(opcode, UnsafeRawBufferPointer(rebasing: bytes[payload]), from: self, on: loop)
      case .assembled(let opcode):
        messages += 1
        let message = webSocket.takeAssembled()
        message.withUnsafeBytes { receiver.received(opcode, $0, from: self, on: loop) }
      case .compressed(let opcode, let payload):
        messages += 1
        inflate(UnsafeRawBufferPointer(rebasing: bytes[payload]), opcode, for: receiver, on: loop)
        mayInflate = !inflateBudget.isWaiting
      case .compressedAssembled(let opcode):
        messages += 1
        let payload = webSocket.takeAssembled()
        payload.withUnsafeBytes { inflate($0, opcode, for: receiver, on: loop) }
        mayInflate = !inflateBudget.isWaiting
      case .ping(let payload): answerPing(UnsafeRawBufferPointer(rebasing: bytes[payload]), on: loop)
      case .closeReceived: reply(to: .clientClosed, on: loop)
      case .closeCompleted: leave(.clientClosed, on: loop)
      case .fail(let violation): fail(violation, on: loop)
      }
    }
    return machine.isWebSocket ? offset : bytes.count
  }

  /// Takes a compressed message; the loop's buffer is free again when the receiver is done with what came out.
  private func inflate(
    _ payload: UnsafeRawBufferPointer, _ opcode: Opcode, for receiver: any MessageReceiver, on loop: isolated EventLoop
  ) {
    guard let codec else { return }
    let pool = context.deflates
    defer { pool.inflated.trim() }
    let message: UnsafeRawBufferPointer
    do throws(InflateFailure) {
      message = try codec.inflate(payload, limit: webSocket.maxMessageBytes, with: pool)
    } catch {
      // It has cost what a message may cost, and it was the connection's last.
      context.work.bytes(webSocket.maxMessageBytes)
      switch error {
      case .tooLong(let limit): return fail(.messageTooBig(limit: limit), on: loop)
      case .malformed: return fail(.malformedCompression, on: loop)
      case .outOfMemory: return close(.internalError, "out of memory", .internalError, on: loop)
      }
    }
    context.metrics.compression.received.add(message: message.count, wire: payload.count)
    charge(inflated: message.count, from: payload.count, on: loop)
    if let violation = WebSocketMachine.checkInflated(opcode, message) { return fail(violation, on: loop) }
    receiver.received(opcode, message, from: self, on: loop)
  }

  private func charge(inflated bytes: Int, from wire: Int, on loop: isolated EventLoop) {
    context.work.bytes(bytes)
    let now = loop.now.milliseconds
    guard let wait = inflateBudget.inflated(bytes, from: wire, at: now, perSecond: context.limits.inflatedPerSecond) else { return }
    inflateTimer = loop.schedule(self, tag: Self.inflateTag, at: loop.now + wait)
  }

  /// The budget for inflating lets the connection go on; a receiver that wants nothing now resumes later itself.
  func inflateAgain(on loop: isolated EventLoop) {
    inflateTimer = nil
    inflateBudget.waited()
    if let receiver, receiver.wantsMore(from: self) { resumeReading(on: loop) }
  }

  private func fail(_ violation: ProtocolViolation, on loop: isolated EventLoop) {
    close(violation.closeCode, violation.reason, CloseCause(of: violation), on: loop)
  }

  private func answerPing(_ payload: UnsafeRawBufferPointer, on loop: isolated EventLoop) {
    // Pongs count against the cap as everything else, and nothing waits until they are read: who pings without reading is cut off.
    pongBytes &+= payload.count + 2
    admit(on: loop) { $0.append(.pong, payload: payload) }
  }

  private func reply(to cause: CloseCause, on loop: isolated EventLoop) {
    enqueue(webSocket.closeReply(), on: loop)
    leave(cause, on: loop)
  }

  /// Ends the connection with a close frame.
  package func close(_ code: CloseCode, _ reason: String, _ cause: CloseCause, on loop: isolated EventLoop) {
    guard machine.isWebSocket else { return }
    enqueue(webSocket.close(code, reason: reason), on: loop)
    leave(cause, on: loop)
  }

  /// The receiver's limits changed, for example after authentication.
  package func limitsChanged(to limits: MessageLimits) { webSocket.setLimits(limits) }

  /// The peer does not read: what waits is given up, so that a close frame may still reach it.
  func abortSlowReader(on loop: isolated EventLoop) {
    guard machine.isWebSocket else { return end(.slowReader, on: loop) }
    context.metrics.delivery.slowConsumerCloses &+= 1
    outbound.removeUnsent()
    guard outbound.append(webSocket.close(.slowReader, reason: CloseReason.slowReader.text)) == .queued else {
      return end(.slowReader, on: loop)
    }
    leave(.slowReader, on: loop)
    setTimer(at: loop.now + context.limits.lingerMs, on: loop)
  }

  // MARK: - Keep-alive

  func scheduleHeartbeat(on loop: isolated EventLoop) {
    // A connection for whose ping there was no room is over, and goes by another time.
    guard machine.isWebSocket, let next = keepAlive.nextCheck else { return }
    let wait = Int32(bitPattern: next &- loop.now.short)
    setTimer(at: loop.now + UInt64(max(0, wait)), on: loop)
  }

  func checkLife(on loop: isolated EventLoop) {
    // What is not read cannot tell that it is alive.
    if machine.isPaused { keepAlive.receivedTraffic(now: loop.now.short) }
    switch keepAlive.timerFired(now: loop.now.short) {
    case .sendPing:
      enqueue(webSocket.frame(.ping), on: loop)
      scheduleHeartbeat(on: loop)
    case .checkAgain: scheduleHeartbeat(on: loop)
    case .closeUnresponsive: end(.keepAliveExpired, on: loop)
    // It may send as much as it likes: who takes nothing is no reader.
    case .closeStalled: end(.slowReader, on: loop)
    case .none: break
    }
  }
}

extension CloseCause {
  /// The cause of an ending by a violation: its close code is the violation's.
  init(of violation: ProtocolViolation) {
    self =
      switch violation {
      case .reservedBit, .unknownOpcode, .unmaskedFrame, .maskedFrame, .malformedLength, .fragmentedControlFrame, .longControlFrame,
        .unexpectedContinuation, .unfinishedMessage, .shortCloseBody, .invalidCloseCode:
        .protocolViolation
      case .invalidCloseReason, .invalidText: .invalidText
      case .malformedCompression: .badCompression
      case .messageTooBig, .tooManyFragments: .tooBig
      }
  }
}
