import Observability
import Transport

/// Decides what becomes of one socket: HTTP requests, then perhaps a WebSocket, then a farewell, then nothing.
///
/// It knows nothing of bytes or frames. The connection asks before it reads, writes or frees, and does what it is told. After every event
/// ``watch`` says what the socket is to be watched for.
struct ConnectionMachine: Equatable {
  private enum Phase: Equatable {
    /// A trusted peer may send a header of the PROXY protocol first. Next: `securing`, `request`, `leaving`, `closed`.
    case proxyHeader
    /// The TLS handshake is not done. Next: `request`, `leaving`, `closed`.
    case securing
    /// A request head is being read; whether one was answered before. Next: `answering`, `webSocket`, `leaving`, `closed`.
    case request(isFirst: Bool)
    /// A request was read and its answer comes later; nothing is read meanwhile. Next: `request`, `body`, `sending`, `webSocket`, `leaving`, `closed`.
    case answering
    /// The body of a request is read. Next: `answering`, `leaving`, `closed`.
    case body
    /// An answer is sent piece by piece; nothing is read meanwhile. Next: `request`, `leaving`, `closed`.
    case sending
    /// Frames flow. Next: `leaving`, `closed`.
    case webSocket
    /// Our last bytes are on their way; what arrives is discarded. Next: `closed`.
    case leaving(CloseCause)
    /// The socket is freed. Terminal.
    case closed
  }

  private var phase: Phase
  private var flags: Flags

  /// A socket that was just accepted.
  ///
  /// - Parameters:
  ///   - mayBeProxied: Whether its peer is believed where it sends a header of the PROXY protocol.
  ///   - speaksTLS: Whether TLS is spoken on it, behind such a header.
  init(mayBeProxied: Bool = false, speaksTLS: Bool = false) {
    phase = mayBeProxied ? .proxyHeader : speaksTLS ? .securing : .request(isFirst: true)
    flags = speaksTLS ? .speaksTLS : []
  }

  // MARK: - What is true now

  /// Whether frames flow.
  var isWebSocket: Bool { if case .webSocket = phase { true } else { false } }

  /// Whether requests are read or answered.
  var isHTTP: Bool {
    switch phase {
    case .proxyHeader, .securing, .request, .answering, .body, .sending: true
    case .webSocket, .leaving, .closed: false
    }
  }

  /// Whether an answer is sent piece by piece.
  var isAnswering: Bool { if case .sending = phase { true } else { false } }

  /// Whether the TLS handshake is not done.
  var isSecuring: Bool { if case .securing = phase { true } else { false } }

  /// Whether our last bytes are on their way.
  var isLeaving: Bool { if case .leaving = phase { true } else { false } }

  /// Whether what arrives is to be decrypted.
  var readsCiphertext: Bool {
    switch phase {
    case .securing, .request, .answering, .body, .sending, .webSocket: flags.contains(.speaksTLS)
    // What is discarded needs no decryption.
    case .proxyHeader, .leaving, .closed: false
    }
  }

  /// Whether a request may be read.
  var readsRequests: Bool {
    switch phase {
    case .request: true
    case .proxyHeader, .securing, .answering, .body, .sending, .webSocket, .leaving, .closed: false
    }
  }

  /// Whether the socket is freed.
  var isClosed: Bool { if case .closed = phase { true } else { false } }

  /// Whether the receiver wants no more messages for now.
  var isPaused: Bool { flags.contains(.isPaused) }

  /// Whether the kernel takes no more bytes for now.
  var isWriteBlocked: Bool { flags.contains(.isWriteBlocked) }

  /// What the socket is to be watched for.
  var watch: Watch {
    let reads: Bool =
      switch phase {
      case .proxyHeader, .request: true
      case .securing: !flags.contains(.awaitsTurn)
      case .webSocket, .body: flags.isDisjoint(with: [.isPaused, .sawEnd])
      case .leaving: !flags.contains(.sawEnd)
      case .answering, .sending, .closed: false
      }
    var watch: Watch = reads ? .reads : []
    if flags.contains(.isWriteBlocked) { watch.insert(.writes) }
    if !reads, hasPeer { watch.insert(.ends) }
    return watch
  }

  /// Whether somebody waits for something, so that their going is news.
  private var hasPeer: Bool {
    switch phase {
    case .answering, .body, .sending, .webSocket: true
    case .proxyHeader, .securing, .request, .leaving, .closed: false
    }
  }

  /// What the bytes that arrive now are.
  var input: Input {
    if flags.contains(.hasToResume) { return .kept }
    return switch phase {
    case .proxyHeader: .proxyHeader
    case .securing: .ciphertext
    case .request: .requests
    case .answering, .sending: .kept
    case .body: flags.contains(.isPaused) ? .kept : .body
    case .webSocket: flags.contains(.isPaused) ? .kept : .frames
    case .leaving, .closed: .discarded
    }
  }

  // MARK: - Reading

  /// The socket is ready for something.
  func ready(_ events: Readiness) -> ReadyAction {
    // Bits instead of sets: a set of another module is built in memory for every event.
    let broken = Readiness.hangup.rawValue | Readiness.error.rawValue | Readiness.peerClosed.rawValue
    guard !isClosed, events.rawValue & (broken | Readiness.readable.rawValue) != 0 else { return .nothing }
    // What is kept comes first, at the flush of this turn or in the next round: who ends the connection behind it is heard then.
    guard !flags.contains(.hasToResume) else { return .nothing }
    if watch.contains(.reads) { return isSecuring ? .awaitTurn : .receive }
    // Nothing is read for now, but a peer that is gone frees its socket: `peerClosed` is only told where it is watched for.
    return events.rawValue & broken == 0 ? .nothing : .free(causeOfBreak)
  }

  /// The peer sends no more.
  ///
  /// - Parameters:
  ///   - hasInput: Whether the beginning of something is kept.
  ///   - hasOutput: Whether something waits to be sent.
  mutating func peerEnded(hasInput: Bool, hasOutput: Bool) -> EndAction {
    switch phase {
    case .proxyHeader, .securing: return .free(hasInput ? .handshakeFailed : .peerVanished)
    case .request(let isFirst):
      flags.insert(.sawEnd)
      let cause: CloseCause = hasInput ? .handshakeFailed : isFirst ? .peerVanished : .requestServed
      // A client that closes its side behind its request still gets the answer.
      return hasOutput ? .leave(cause) : .free(cause)
    case .answering, .body, .sending, .webSocket: return .free(.peerVanished)
    case .leaving(let cause):
      flags.insert(.sawEnd)
      return hasOutput ? .nothing : .free(cause)
    case .closed: return .nothing
    }
  }

  /// The peer says by TLS that it sends no more, and its socket is open.
  ///
  /// What came before and waits is gone through first; `endIsDue` tells when that is done. An end of the socket itself does not wait.
  mutating func peerSaidEnd(hasInput: Bool, hasOutput: Bool) -> EndAction {
    guard phase == .webSocket, hasInput, !flags.isDisjoint(with: [.isPaused, .hasToResume]) else {
      return peerEnded(hasInput: hasInput, hasOutput: hasOutput)
    }
    flags.insert(.sawEnd)
    return .nothing
  }

  /// Whether the peer sends no more, and all that it sent before is gone through.
  var endIsDue: Bool { phase == .webSocket && flags.contains(.sawEnd) && flags.isDisjoint(with: [.isPaused, .hasToResume]) }

  /// The cause of an end where the socket is found broken.
  var causeOfBreak: CloseCause {
    if case .leaving(let cause) = phase { cause } else { .peerVanished }
  }

  /// The receiver wants no more messages.
  mutating func paused() {
    if phase == .webSocket || phase == .body { flags.insert(.isPaused) }
  }

  /// The receiver wants messages again; says whether what was kept is to be gone through at the next flush.
  mutating func resumed() -> Bool {
    guard phase == .webSocket || phase == .body, flags.contains(.isPaused) else { return false }
    flags.remove(.isPaused)
    flags.insert(.hasToResume)
    return true
  }

  /// The work of one go is used up; says whether what is kept is to be gone through in the next round of the loop.
  mutating func yielded() -> Bool {
    switch phase {
    case .request, .webSocket:
      flags.formUnion([.hasToResume, .hasYielded])
      return true
    case .proxyHeader, .securing, .answering, .body, .sending, .leaving, .closed: return false
    }
  }

  /// The next round of the loop came; says whether what was kept is to be gone through.
  mutating func roundCame() -> Bool {
    guard flags.contains(.hasYielded) else { return false }
    flags.subtract([.hasToResume, .hasYielded])
    return phase != .closed
  }

  // MARK: - Requests

  /// The header of the PROXY protocol is read, or there is none.
  mutating func proxyHeaderPassed() {
    if case .proxyHeader = phase { phase = flags.contains(.speaksTLS) ? .securing : .request(isFirst: true) }
  }

  /// The handshake has something to read; says whether it is to wait for a turn now.
  mutating func turnWanted() -> Bool {
    guard isSecuring, !flags.contains(.awaitsTurn) else { return false }
    flags.insert(.awaitsTurn)
    return true
  }

  /// The turn at the handshake came; says whether it is to be taken.
  mutating func turnCame() -> Bool {
    flags.remove(.awaitsTurn)
    return isSecuring
  }

  /// The TLS handshake is done, as it stays; says whether that is news.
  mutating func secured() -> Bool {
    guard isSecuring else { return false }
    phase = .request(isFirst: true)
    return true
  }

  /// The answer to the request comes later.
  mutating func requestWaits() {
    if case .request = phase { phase = .answering }
  }

  /// The body of the request may come; says whether somebody waits for that.
  mutating func bodyWanted() -> Bool {
    guard takesAnswers else { return false }
    goOn(.body)
    return true
  }

  /// The last byte of the body is there: its answer comes later.
  mutating func bodyEnded() {
    guard phase == .body else { return }
    phase = .answering
    flags.remove(.isPaused)
  }

  /// The answer begins and comes piece by piece; says whether somebody waits for it.
  mutating func answerBegan() -> Bool {
    guard takesAnswers else { return false }
    phase = .sending
    return true
  }

  /// The answer to the request is there.
  ///
  /// - Parameters:
  ///   - isRefusal: Whether it has an error status.
  ///   - keepsAlive: Whether another request may follow.
  mutating func answered(isRefusal: Bool, keepsAlive: Bool) -> AnswerAction {
    guard takesAnswers || phase == .sending || phase == .body else { return .nothing }
    guard keepsAlive else { return .leave(isRefusal ? .requestRefused : .requestServed) }
    goOn(.request(isFirst: false))
    return .readOn
  }

  /// The answer is an upgrade; says whether somebody waits for it.
  mutating func upgraded() -> Bool {
    guard takesAnswers else { return false }
    goOn(.webSocket)
    return true
  }

  private var takesAnswers: Bool {
    switch phase {
    case .request, .answering: true
    case .proxyHeader, .securing, .body, .sending, .webSocket, .leaving, .closed: false
    }
  }

  /// What was kept during `answering` and `sending` is gone through at the next flush, which every answer brings.
  private mutating func goOn(_ next: Phase) {
    if phase == .answering || phase == .sending { flags.insert(.hasToResume) }
    phase = next
  }

  // MARK: - Writing

  /// Something was queued; says whether the loop is to be asked for a flush.
  mutating func queued() -> Bool {
    guard flags.isDisjoint(with: [.wantsFlush, .isWriteBlocked]) else { return false }
    flags.insert(.wantsFlush)
    return true
  }

  /// Something is to be done at the next flush, whether the kernel takes bytes or not; says whether the loop is to be asked for one.
  mutating func flushWanted() -> Bool {
    guard !flags.contains(.wantsFlush) else { return false }
    flags.insert(.wantsFlush)
    return true
  }

  /// A flush begins; says whether what was kept is to be gone through first.
  mutating func flushBegan() -> Bool {
    flags.remove(.wantsFlush)
    guard flags.contains(.hasToResume), !flags.contains(.hasYielded) else { return false }
    flags.remove(.hasToResume)
    return phase != .closed
  }

  /// The kernel takes no more bytes for now, or takes them again.
  mutating func writeBlocked(_ isBlocked: Bool) {
    if isBlocked { flags.insert(.isWriteBlocked) } else { flags.remove(.isWriteBlocked) }
  }

  /// Everything queued is sent.
  mutating func sentAll() -> SentAction {
    guard case .leaving(let cause) = phase, !flags.contains(.sentEnd) else { return .nothing }
    flags.insert(.sentEnd)
    return flags.contains(.sawEnd) ? .free(cause) : .sendEnd
  }

  // MARK: - Ending

  /// Nothing is queued any more from now on; says whether that is news.
  mutating func left(because cause: CloseCause) -> Bool {
    switch phase {
    case .proxyHeader, .securing, .request, .answering, .body, .sending, .webSocket:
      phase = .leaving(cause)
      flags.subtract([.isPaused, .hasToResume, .hasYielded])
      return true
    case .leaving, .closed: return false
    }
  }

  /// The socket is freed; returns the cause to tell, which is that of the farewell where there was one, or nil where it was freed before.
  mutating func ended(because cause: CloseCause) -> CloseCause? {
    switch phase {
    case .proxyHeader, .securing, .request, .answering, .body, .sending, .webSocket:
      phase = .closed
      return cause
    case .leaving(let first):
      phase = .closed
      return first
    case .closed: return nil
    }
  }

  /// The timer fired.
  ///
  /// - Parameter hasInput: Whether the beginning of a request is kept.
  func timeReached(hasInput: Bool) -> TimeAction {
    switch phase {
    case .proxyHeader, .securing: .free(.handshakeTimeout)
    // Between two requests of one connection there is nobody to answer.
    case .request(let isFirst): hasInput ? .refuseRequest : .free(isFirst ? .handshakeTimeout : .requestServed)
    case .answering: .apologize
    case .body, .sending: .checkTransfer
    case .webSocket: .checkLife
    case .leaving(let cause): .free(cause)
    case .closed: .nothing
    }
  }

  /// The gateway stops.
  func drained() -> DrainAction {
    switch phase {
    case .answering, .body: .refuseRequest
    case .webSocket: .close
    case .proxyHeader, .securing, .request, .sending, .leaving, .closed: .nothing
    }
  }
}
