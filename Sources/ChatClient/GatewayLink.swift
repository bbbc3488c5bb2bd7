import ChatModel
import ChatSDK
import Crypto
import GatewayProtocol
import TLS
import Transport
import WebSocketProtocol

/// Who answers a call.
typealias CallAnswer = @Sendable (Result<ChatReply, ChatSDK.ChatError>) -> Void

/// What a link is told from outside of its loop.
enum LinkOrder: Sendable {
  case call(ChatCall, CallAnswer)
  /// What an attempt needs was got.
  case prepared(Result<LinkMeans, ChatSDK.ChatError>)
  case tokenCame(String)
  case close
}

/// What an attempt needs.
struct LinkMeans: Sendable {
  let opening: SessionOpening
  let addresses: [SocketAddress]
}

/// Runs a link's machine on its loop: the one switch over what it decides.
final class GatewayLink: MailboxOwner, TimerTarget, ClientSocketOwner {
  private enum Tag {
    static let attempt = 1
    static let tick = 2
    static let keepAlive = 3
    static let handshake = 4
  }

  private static let tickMs: UInt64 = 500

  private let means: LinkPreparation
  private let inbox: Mailbox<LinkOrder>
  private let decoder: ServerMessageDecoder
  private let context: TLSContext?
  /// How long it may take at one address until the gateway has said hello, milliseconds.
  private let handshakeMs: UInt64
  private var receive: (@Sendable (TransportEvent) -> Void)?
  private var machine: LinkMachine
  private var socket: ClientSocket?
  private var addresses: [SocketAddress] = []
  private var answers: [UInt64: CallAnswer] = [:]
  private var lastKey: UInt64 = 0
  private var keepAlive: KeepAliveMachine?
  private var timers: [Int: TimerID] = [:]

  init(
    _ means: LinkPreparation, _ inbox: Mailbox<LinkOrder>, _ decoder: ServerMessageDecoder, _ context: TLSContext?,
    callTimeoutMs: UInt64, handshakeMs: UInt64, receive: @escaping @Sendable (TransportEvent) -> Void
  ) {
    self.means = means
    self.inbox = inbox
    self.decoder = decoder
    self.context = context
    self.handshakeMs = handshakeMs
    self.receive = receive
    machine = LinkMachine(callTimeoutMs: callTimeoutMs, canRenew: means.canRenew)
  }

  /// Begins.
  func start(on loop: isolated EventLoop) {
    loop.own(self)
    schedule(Tag.tick, after: Self.tickMs, on: loop)
    perform(machine.start(), on: loop)
  }

  private static var random: Double { Double(SecureRandom.uint64() >> 11) / Double(1 << 53) }

  // MARK: - Events

  func mailArrived(on loop: isolated EventLoop) {
    for order in inbox.take(on: loop) {
      switch order {
      case .call(let call, let answer):
        lastKey += 1
        answers[lastKey] = answer
        perform(machine.call(call, key: lastKey, at: loop.now.milliseconds), on: loop)
      case .prepared(.success(let means)):
        addresses = means.addresses
        perform(machine.prepared(means.opening), on: loop)
      case .prepared(.failure(let error)): perform(machine.notPrepared(error, random: Self.random), on: loop)
      case .tokenCame(let token): perform(machine.tokenCame(token), on: loop)
      case .close:
        receive = nil
        perform(machine.close(), on: loop)
        loop.stop()
      }
    }
  }

  func timerFired(_ tag: Int, on loop: isolated EventLoop) {
    timers[tag] = nil
    switch tag {
    case Tag.attempt: perform(machine.timeReached(), on: loop)
    case Tag.tick:
      schedule(Tag.tick, after: Self.tickMs, on: loop)
      perform(machine.tick(at: loop.now.milliseconds), on: loop)
    case Tag.handshake:
      // A host may have addresses that lead nowhere from here.
      guard addresses.isEmpty else { return connectAgain(on: loop) }
      breakOff("the gateway does not answer", on: loop)
    case Tag.keepAlive: checkLife(on: loop)
    default: break
    }
  }

  func opened(_ socket: ClientSocket, on loop: isolated EventLoop) { perform(machine.upgraded(), on: loop) }

  func heard(_ socket: ClientSocket, on loop: isolated EventLoop) { keepAlive?.receivedTraffic(now: Self.short(loop.now)) }

  func received(_ text: UnsafeRawBufferPointer, from socket: ClientSocket, on loop: isolated EventLoop) {
    let event = decoder.decode(text) { machine.method(of: $0) }
    perform(machine.received(event, random: Self.random), on: loop)
  }

  func ended(_ socket: ClientSocket, _ end: LinkEnd, on loop: isolated EventLoop) {
    guard socket === self.socket else { return }
    forgetSocket(on: loop)
    // The next address of the same host, at once.
    if case .broken = end, !addresses.isEmpty, timers[Tag.handshake] != nil { return connect(on: loop) }
    perform(machine.ended(end, random: Self.random), on: loop)
  }

  private func breakOff(_ reason: String, on loop: isolated EventLoop) {
    socket?.close(on: loop)
    forgetSocket(on: loop)
    perform(machine.ended(.broken(reason), random: Self.random), on: loop)
  }

  private func forgetSocket(on loop: isolated EventLoop) {
    socket = nil
    keepAlive = nil
    cancel(Tag.keepAlive, on: loop)
  }

  // MARK: - Actions

  private func perform(_ actions: [LinkMachine.Action], on loop: isolated EventLoop) {
    for action in actions {
      switch action {
      case .prepare: means.prepare(guestToken: machine.guestToken) { [inbox] in inbox.post(.prepared($0)) }
      case .connect: connect(on: loop)
      case .send(let text): socket?.send(text, on: loop)
      case .keepAlive(let interval, let grace):
        cancel(Tag.handshake, on: loop)
        let keepAlive = KeepAliveMachine(
          interval: UInt32(clamping: interval), grace: UInt32(clamping: grace), now: Self.short(loop.now))
        self.keepAlive = keepAlive
        schedule(Tag.keepAlive, after: UInt64(clamping: interval), on: loop)
      case .answer(let key, let result): answers.removeValue(forKey: key)?(result)
      case .tell(let event): receive?(event)
      case .wait(let milliseconds):
        cancel(Tag.handshake, on: loop)
        schedule(Tag.attempt, after: UInt64(clamping: milliseconds), on: loop)
      case .renewToken: means.renew { [inbox] in inbox.post(.tokenCame($0)) }
      case .disconnect:
        socket?.close(on: loop)
        forgetSocket(on: loop)
        cancel(Tag.handshake, on: loop)
      }
    }
  }

  private func connectAgain(on loop: isolated EventLoop) {
    socket?.close(on: loop)
    forgetSocket(on: loop)
    connect(on: loop)
  }

  /// Begins at the next address.
  private func connect(on loop: isolated EventLoop) {
    schedule(Tag.handshake, after: handshakeMs, on: loop)
    var reason = "the host has no address"
    while !addresses.isEmpty {
      let target = addresses.removeFirst()
      do throws(SocketError) {
        socket = try ClientSocket(to: target, means.address, over: context, owner: self, on: loop)
        return
      } catch { reason = error.description }
    }
    perform(machine.ended(.broken(reason), random: Self.random), on: loop)
  }

  // MARK: - Time

  private func checkLife(on loop: isolated EventLoop) {
    switch keepAlive?.timerFired(now: Self.short(loop.now)) {
    case .sendPing(let next):
      socket?.ping(on: loop)
      scheduleLife(next, on: loop)
    case .checkAgain(let next): scheduleLife(next, on: loop)
    case .closeUnresponsive, .closeStalled: breakOff("the gateway is not heard any more", on: loop)
    case nil, .some(.none): break
    }
  }

  private func scheduleLife(_ next: UInt32, on loop: isolated EventLoop) {
    schedule(Tag.keepAlive, after: UInt64(max(1, Int32(bitPattern: next &- Self.short(loop.now)))), on: loop)
  }

  /// The time as a keep-alive takes it.
  private static func short(_ tick: Tick) -> UInt32 { UInt32(truncatingIfNeeded: tick.milliseconds) }

  private func schedule(_ tag: Int, after milliseconds: UInt64, on loop: isolated EventLoop) {
    cancel(tag, on: loop)
    timers[tag] = loop.schedule(self, tag: tag, at: loop.now + milliseconds)
  }

  private func cancel(_ tag: Int, on loop: isolated EventLoop) {
    if let timer = timers.removeValue(forKey: tag) { loop.cancel(timer) }
  }
}
