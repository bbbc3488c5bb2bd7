import Observability
import TLS
import Transport
import WebSocketProtocol

// What comes in over TLS.
extension Connection {
  /// Whether TLS is spoken on the socket.
  var isEncrypted: Bool { secure != nil }

  /// Lets a connection whose handshake has something to read wait for its turn.
  func awaitTurn(on loop: isolated EventLoop) {
    guard let secure, let workspace = context.tls, machine.turnWanted() else { return }
    watch(on: loop)
    workspace.handshakes.append(self, hasBegun: secure.hasBegun, on: loop)
  }

  /// Takes one step of the handshake; says whether there was one to take.
  func takeTurn(on loop: isolated EventLoop) -> Bool {
    guard machine.turnCame(), let secure else { return false }
    watch(on: loop)
    if rest.isEmpty {
      receive(through: secure, on: loop)
    } else {
      // What followed a header of the PROXY protocol.
      let raw = rest
      rest = []
      take(raw.withUnsafeBytes { secure.take($0, into: loop.readBuffer) }, kept: 0, through: secure, on: loop)
    }
    return true
  }

  /// Receives and decrypts, behind what was kept of the plaintext before.
  func receive(through secure: SecureTransport, on loop: isolated EventLoop) {
    let buffer = loop.readBuffer
    let kept = rest.count
    // Only what was kept while nothing was read can be so much.
    guard kept < buffer.count - SecureTransport.recordRoom else { return consumeRest(on: loop) }
    if kept > 0 { rest.withUnsafeBytes { buffer.copyMemory(from: $0) } }
    let received = secure.receive(into: UnsafeMutableRawBufferPointer(rebasing: buffer[kept...]))
    context.metrics.traffic.bytesIn &+= UInt64(truncatingIfNeeded: received.ciphertext)
    take(received, kept: kept, through: secure, on: loop)
  }

  private func take(_ received: SecureTransport.Received, kept: Int, through secure: SecureTransport, on loop: isolated EventLoop) {
    countSent(by: secure)
    if secure.isEstablished, machine.secured() { countHandshake(secure) }
    // Alerts and answers of the protocol itself may wait for the socket.
    if secure.unsentCount > 0 { block(true, on: loop) }
    if received.plaintext > 0 {
      consume(UnsafeMutableRawBufferPointer(rebasing: loop.readBuffer[..<(kept + received.plaintext)]), on: loop)
    }
    guard !machine.isClosed else { return }
    follow(received.sequel, on: loop)
  }

  private func follow(_ sequel: SecureTransport.Sequel, on loop: isolated EventLoop) {
    switch sequel {
    case .more: break
    case .goodbye: follow(machine.peerSaidEnd(hasInput: !rest.isEmpty, hasOutput: waitingBytes > 0), on: loop)
    case .ended: sawEnd(on: loop)
    case .broken: end(machine.causeOfBreak, on: loop)
    case .unread: end(.slowReader, on: loop)
    case .plainHTTP:
      context.metrics.tls.count(.plainHTTP)
      // Whoever sent this understands no TLS.
      secure = nil
      refuse(.text(400, "TLS is spoken here; use https:// or wss://"), cause: .tlsFailed, on: loop)
    case .notTLS:
      context.metrics.tls.count(.notTLS)
      leave(.tlsFailed, on: loop)
    case .failed(let failure):
      context.observer?.secureTransportFailed(failure, of: self)
      if machine.isSecuring { context.metrics.tls.count(TLSCounts.Outcome(failure)) }
      outbound.removeAll()
      leave(.tlsFailed, on: loop)
    }
  }

  /// Counts what the transport sent, and what it holds against the cap.
  func countSent(by secure: SecureTransport) {
    context.metrics.traffic.bytesOut &+= UInt64(truncatingIfNeeded: secure.takeSentCount())
    outbound.bytesInFlight = secure.unsentCount
  }

  private func countHandshake(_ secure: SecureTransport) {
    context.metrics.tls.count(secure.isResumed ? .resumed : .full)
    switch secure.version {
    case .v12: context.metrics.tls.count(.v12)
    case .v13: context.metrics.tls.count(.v13)
    case nil: break
    }
  }
}

extension TLSCounts.Outcome {
  /// The outcome of a handshake that failed.
  fileprivate init(_ failure: TLSFailure) {
    switch failure {
    case .noCommonProtocol: self = .noCommonProtocol
    case .noCommonVersion: self = .noCommonVersion
    case .noCommonCipher: self = .noCommonCipher
    case .peerAlert: self = .peerAlert
    case .malformed, .hugeHello, .flooded, .unexplained: self = .malformed
    }
  }
}
