import Compression
import Glibc
import Observability
package import Transport
package import WebSocketProtocol

// What goes out.
extension Connection {
  /// Puts bytes of this connection alone into the queue.
  func enqueue(_ bytes: [UInt8], on loop: isolated EventLoop) {
    guard !bytes.isEmpty else { return }
    admit(on: loop) { $0.append(bytes) }
  }

  /// Sends a message; nothing happens once the connection is leaving, which it is from the moment its close frame is queued.
  ///
  /// - Parameters:
  ///   - opcode: Text or binary.
  ///   - payload: The message.
  ///   - isSecret: Whether it carries a token: the size of a compressed one would tell about it, where another part of it is an attacker's.
  ///   - loop: The connection's loop.
  package func send(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, isSecret: Bool = false, on loop: isolated EventLoop) {
    guard machine.isWebSocket else { return }
    context.metrics.traffic.messagesOut &+= 1
    if let codec, !isSecret, sendCompressed(opcode, payload, codec, on: loop) { return }
    admit(on: loop) { $0.append(opcode, payload: payload) }
  }

  /// Sends a message compressed, in one frame; false where it does not become smaller.
  @inline(never)
  private func sendCompressed(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, _ codec: MessageCodec, on loop: isolated EventLoop)
    -> Bool
  {
    let pool = context.deflates
    defer { pool.compressed.trim() }
    guard let smaller = codec.compress(payload, with: pool) else { return false }
    context.metrics.compression.sent.add(message: payload.count, wire: smaller.count)
    admit(on: loop) { $0.append(opcode, payload: smaller, isCompressed: true) }
    return true
  }

  /// Sends a text message.
  package func send(text: [UInt8], isSecret: Bool = false, on loop: isolated EventLoop) {
    text.withUnsafeBytes { send(.text, $0, isSecret: isSecret, on: loop) }
  }

  /// Sends a frame that others share; with a key it replaces the one that still waits.
  func send(_ shared: SharedFrame, key: UInt32, on loop: isolated EventLoop) {
    guard machine.isWebSocket else { return }
    context.metrics.traffic.messagesOut &+= 1
    context.metrics.delivery.deliveries &+= 1
    if let codec, let form = shared.compressed(windowBits: codec.windowBits, with: context.deflates) {
      codec.sentShared()
      context.metrics.compression.sent.add(message: shared.textCount, wire: form.payloadCount)
      return admit(on: loop) { $0.append(shared: form.frame, key: key) }
    }
    admit(on: loop) { $0.append(shared: shared.plain, key: key) }
  }

  /// Whether a frame waits under a key of which nothing is sent yet.
  package func isWaiting(key: UInt32) -> Bool { outbound.isWaiting(key: key) }

  /// Bytes that wait to be sent.
  var waitingBytes: Int { outbound.byteCount + (secure?.unsentCount ?? 0) }

  /// Drops what waits under a key.
  package func drop(key: UInt32) { outbound.remove(key: key) }

  /// Adds to the queue, and cuts a peer off that leaves too much in it.
  @inline(__always)
  func admit(on loop: isolated EventLoop, _ add: (inout OutboundQueue) -> OutboundQueue.Admission) {
    switch add(&outbound) {
    case .queued: wantFlush(on: loop)
    case .overflow: makeRoom(on: loop, add)
    }
  }

  /// Much may be queued in one turn; only what the socket does not take is the peer's fault.
  @inline(never)
  private func makeRoom(on loop: isolated EventLoop, _ add: (inout OutboundQueue) -> OutboundQueue.Admission) {
    switch machine.isWriteBlocked ? .blocked : writeSome(on: loop) {
    case .broken: end(machine.causeOfBreak, on: loop)
    case .blocked, .written:
      switch outbound.appendAlone(add) {
      case .queued: wantFlush(on: loop)
      case .overflow: abortSlowReader(on: loop)
      }
    }
  }

  func wantFlush(on loop: isolated EventLoop) {
    if machine.queued() { loop.wantsFlush(self) }
  }

  package func flush(on loop: isolated EventLoop) {
    if machine.flushBegan() { consumeRest(on: loop) }
    guard !machine.isClosed else { return }
    let waited = waitingBytes
    switch writeSome(on: loop) {
    case .written:
      block(false, on: loop)
      sentAll(on: loop)
    case .blocked: block(true, on: loop)
    case .broken: return end(machine.causeOfBreak, on: loop)
    }
    if machine.endIsDue { return sawEnd(on: loop) }
    if exchange != nil { tellTransfer(waited: waited, on: loop) }
    if waitingBytes < waited, tellsRoom || machine.isPaused, let receiver { receiver.roomCame(self, on: loop) }
  }

  private func sentAll(on loop: isolated EventLoop) {
    switch machine.sentAll() {
    case .sendEnd:
      Socket.shutdownWriting(descriptor)
      setTimer(at: loop.now + context.limits.lingerMs, on: loop)
    case .free(let cause): end(cause, on: loop)
    case .nothing: break
    }
  }

  /// Writes as much as the socket takes, and notes since when it takes nothing.
  private func writeSome(on loop: isolated EventLoop) -> SecureTransport.Progress {
    let waited = waitingBytes
    let progress = writeQueued()
    switch progress {
    case .written:
      keepAlive.outputIsSent()
      pongBytes = 0
    case .blocked:
      keepAlive.outputWaits(now: loop.now.short, hasMoved: waitingBytes < waited)
      // As if pongs had gone first: what is taken for a pong here is not taken for a reply that waits.
      pongBytes = max(0, pongBytes - max(0, waited - waitingBytes))
    case .broken: break
    }
    return progress
  }

  func block(_ isBlocked: Bool, on loop: isolated EventLoop) {
    if machine.isWriteBlocked != isBlocked { context.writeBlocked(self, isBlocked) }
    machine.writeBlocked(isBlocked)
    watch(on: loop)
  }

  /// Writes as much of the queue as the socket takes.
  private func writeQueued() -> SecureTransport.Progress {
    if let secure {
      defer { countSent(by: secure) }
      return secure.write(&outbound, isLast: machine.isLeaving)
    }
    while !outbound.isEmpty {
      switch write() {
      case .bytes(let count):
        context.metrics.traffic.bytesOut &+= UInt64(truncatingIfNeeded: count)
        outbound.consume(count)
      case .wouldBlock: return .blocked
      case .endOfStream, .failed: return .broken
      }
    }
    return .written
  }

  private func write() -> IOResult {
    var result = IOResult.wouldBlock
    withUnsafeTemporaryAllocation(of: OutboundVector.self, capacity: Self.maxPieces) { vectors in
      _ = outbound.withVectors(vectors) { count in
        result = Self.write(UnsafeMutableBufferPointer(rebasing: vectors[..<count]), to: descriptor)
        return count
      }
    }
    return result
  }

  /// Pieces of one write: more bring nothing, as the socket's buffer is full before.
  private static let maxPieces = 64

  private static func write(_ vectors: UnsafeMutableBufferPointer<OutboundVector>, to descriptor: CInt) -> IOResult {
    guard vectors.count != 1 else {
      return Socket.send(descriptor, UnsafeRawBufferPointer(start: vectors[0].base, count: vectors[0].count))
    }
    return withUnsafeTemporaryAllocation(of: iovec.self, capacity: maxPieces) { pieces in
      for (index, vector) in vectors.enumerated() {
        pieces.initializeElement(at: index, to: iovec(iov_base: UnsafeMutableRawPointer(mutating: vector.base), iov_len: vector.count))
      }
      return Socket.send(descriptor, vectors: UnsafeBufferPointer(rebasing: pieces[..<vectors.count]))
    }
  }
}
