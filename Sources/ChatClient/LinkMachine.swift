import ChatModel
import ChatSDK
import GatewayProtocol

/// One user's link to a gateway as a value: a session, again and again, and the calls that wait for it.
///
/// Times are milliseconds of a steady clock. Calls are known by numbers of the caller's.
struct LinkMachine: Equatable {
  private enum State: Equatable {
    /// Next: `preparing`, `stopped`.
    case idle
    /// A token is got, and the host's addresses. Next: `connecting`, `waiting`, `stopped`.
    case preparing
    /// A socket is being opened and upgraded. Next: `greeting`, `waiting`, `stopped`.
    case connecting(SessionOpening)
    /// The gateway's hello is awaited. Next: `opening`, `ready`, `waiting`, `stopped`.
    case greeting(SessionOpening)
    /// `session.open` is under way, with this id. Next: `ready`, `waiting`, `stopped`.
    case opening(id: Int64)
    /// There is a session. Next: `waiting`, `stopped`.
    case ready
    /// The next attempt waits for its time. Next: `preparing`, `stopped`.
    case waiting
    /// Final.
    case stopped(ChatSDK.ChatError)
  }

  private struct Call: Equatable {
    let key: UInt64
    let call: ChatCall
    let deadline: UInt64
  }

  /// What is to be done, in this order.
  enum Action: Equatable {
    /// Get what an attempt needs, and say `prepared`.
    case prepare
    case connect
    /// Send a text.
    case send([UInt8])
    /// A connection has these times from now on, milliseconds.
    case keepAlive(intervalMs: Int, graceMs: Int)
    case answer(UInt64, Result<ChatReply, ChatSDK.ChatError>)
    case tell(TransportEvent)
    /// Say `timeReached` after that many milliseconds.
    case wait(Int)
    /// Get a new token for this session, and say `tokenCame`.
    case renewToken
    /// Close the socket, if there is one.
    case disconnect
  }

  /// Calls that may wait for a connection.
  static let maxQueued = 1_000

  private let callTimeoutMs: UInt64
  /// Whether a new token can be got.
  private let canRenew: Bool
  private var state: State = .idle
  private var pace = ReconnectPace()
  private var lastID: Int64 = 0
  private var queue: [Call] = []
  private var sent: [Int64: Call] = [:]
  private var refreshID: Int64?
  private var maxInFlight = 1
  private var maxMessageBytes = 8_192
  /// How long the gateway asked to stay away before it closed.
  private var awayMs = 0
  /// The token that brings a guest back.
  private(set) var guestToken: String?

  init(callTimeoutMs: UInt64, canRenew: Bool) {
    self.callTimeoutMs = callTimeoutMs
    self.canRenew = canRenew
  }

  /// The method of the request with this id, which waits for its reply.
  func method(of id: Int64) -> Method? {
    if case .opening(id: id) = state { return .sessionOpen }
    if id == refreshID { return .sessionRefresh }
    return sent[id]?.call.method
  }

  // MARK: - Attempts

  mutating func start() -> [Action] {
    guard state == .idle else { return [] }
    state = .preparing
    return [.prepare]
  }

  /// What an attempt needs is there.
  mutating func prepared(_ opening: SessionOpening) -> [Action] {
    guard state == .preparing else { return [] }
    state = .connecting(opening)
    return [.connect]
  }

  /// It cannot be got, or not now.
  mutating func notPrepared(_ error: ChatSDK.ChatError, random: Double) -> [Action] {
    guard state == .preparing else { return [] }
    guard error.isTemporary else { return stop(error) }
    return comeBack(after: error, pace.next(random: random, atLeastMs: 0))
  }

  /// The socket speaks WebSocket.
  mutating func upgraded() -> [Action] {
    guard case .connecting(let opening) = state else { return [] }
    state = .greeting(opening)
    return []
  }

  /// The time of the next attempt is there.
  mutating func timeReached() -> [Action] {
    guard state == .waiting else { return [] }
    state = .preparing
    return [.prepare]
  }

  /// The socket is gone.
  mutating func ended(_ end: LinkEnd, random: Double) -> [Action] {
    switch state {
    case .idle, .preparing, .waiting, .stopped: return []
    case .connecting, .greeting, .opening, .ready: break
    }
    switch ClosingAdvice(after: end) {
    case .stop(let error): return stop(error)
    case .backOff(let minimum): return comeBack(after: end.error, pace.next(random: random, atLeastMs: max(minimum, awayMs)))
    case .atOnce: return comeBack(after: end.error, 0)
    case .renewToken:
      guard canRenew || guestToken != nil else { return stop(ChatError(.unauthenticated, "The token expired")) }
      return comeBack(after: end.error, pace.next(random: random, atLeastMs: 0))
    }
  }

  private mutating func comeBack(after error: ChatSDK.ChatError, _ delay: Int) -> [Action] {
    state = .waiting
    awayMs = 0
    return lose() + [.tell(.disconnected(error)), .wait(delay)]
  }

  private mutating func stop(_ error: ChatSDK.ChatError) -> [Action] {
    state = .stopped(error)
    let calls = lose() + queue.map { .answer($0.key, .failure(error)) }
    queue = []
    return [.disconnect] + calls + [.tell(.failed(error))]
  }

  /// Calls that were sent wait for the next session where that does no harm; what became of the others nobody knows.
  private mutating func lose() -> [Action] {
    refreshID = nil
    let lost = sent.sorted { $0.key < $1.key }.map(\.value)
    sent = [:]
    queue = lost.filter(\.call.isRepeatable) + queue
    let dropped = queue.filter(\.call.isOfTopic)
    queue.removeAll(where: \.call.isOfTopic)
    return (lost.filter { !$0.call.isRepeatable } + dropped).map { .answer($0.key, .failure(.connectionLost)) }
  }

  /// Nothing is wanted any more.
  mutating func close() -> [Action] {
    if case .stopped = state { return [] }
    state = .stopped(.connectionLost)
    let calls = lose() + queue.map { .answer($0.key, .failure(.connectionLost)) }
    queue = []
    return calls + [.disconnect]
  }

  // MARK: - Messages

  /// A message of the gateway.
  mutating func received(_ event: ServerEvent, random: Double) -> [Action] {
    switch event {
    case .hello(let greeting): return greeted(greeting)
    case .reply(let id, let result): return replied(id, result, random: random)
    case .snapshot(let topic, let snapshot): return [.tell(.snapshot(topic, snapshot))]
    case .ended(let topic, let error): return [.tell(.ended(topic, error.map { ChatSDK.ChatError($0) }))]
    case .sessionExpiring: return canRenew ? [.renewToken] : []
    case .goAway(let milliseconds):
      awayMs = min(milliseconds, 3_600_000)
      return []
    case .refused, .ignored: return []
    case .malformed(let reason):
      let end = LinkEnd.broken("the gateway sent what cannot be read: \(reason)")
      return [.disconnect] + ended(end, random: random)
    }
  }

  private mutating func greeted(_ greeting: Greeting) -> [Action] {
    guard case .greeting(let opening) = state else { return [] }
    maxInFlight = max(1, greeting.maxInFlight)
    maxMessageBytes = greeting.maxMessageBytes
    let keepAlive = Action.keepAlive(
      intervalMs: max(1_000, greeting.heartbeatMs &+ greeting.graceMs), graceMs: max(1_000, greeting.graceMs))
    if case .done(let session) = greeting.auth { return [keepAlive] + opened(session) }
    lastID += 1
    state = .opening(id: lastID)
    return [keepAlive, .send(ClientMessage.openSession(opening).encoded(id: lastID))]
  }

  private mutating func opened(_ session: SessionInfo) -> [Action] {
    state = .ready
    pace.succeeded()
    guestToken = session.token ?? guestToken
    return [.tell(.connected(user: session.user))] + sendQueue()
  }

  private mutating func replied(_ id: Int64, _ result: Result<CallResult, RPCError>, random: Double) -> [Action] {
    if case .opening(id: id) = state {
      switch result {
      case .success(.session(let session)): return opened(session)
      case .success: return []
      case .failure(let error): return notOpened(ChatSDK.ChatError(error), random: random)
      }
    }
    if id == refreshID {
      refreshID = nil
      return []
    }
    guard let call = sent.removeValue(forKey: id) else { return [] }
    let answer: Result<ChatReply, ChatSDK.ChatError> =
      switch result {
      case .success(.chat(let reply)): .success(reply)
      case .success: .success(.done)
      case .failure(let error): .failure(ChatSDK.ChatError(error))
      }
    return [.answer(call.key, answer)] + sendQueue()
  }

  private mutating func notOpened(_ error: ChatSDK.ChatError, random: Double) -> [Action] {
    switch error.code {
    case .unavailable, .rateLimited, .limitExceeded, .internalError:
      let delay = pace.next(random: random, atLeastMs: error.retryAfterMs ?? 0)
      return [.disconnect] + comeBack(after: error, delay)
    default: return stop(error)
    }
  }

  /// A new token came for the session in use.
  mutating func tokenCame(_ token: String) -> [Action] {
    guard state == .ready else { return [] }
    lastID += 1
    refreshID = lastID
    return [.send(ClientMessage.refreshSession(token: token).encoded(id: lastID))]
  }

  // MARK: - Calls

  /// Somebody calls.
  mutating func call(_ call: ChatCall, key: UInt64, at now: UInt64) -> [Action] {
    if case .stopped(let error) = state { return [.answer(key, .failure(error))] }
    guard state == .ready || !call.isOfTopic else { return [.answer(key, .failure(.connectionLost))] }
    guard queue.count < Self.maxQueued else {
      return [.answer(key, .failure(ChatError(.limitExceeded, "Too many calls wait for the gateway")))]
    }
    queue.append(Call(key: key, call: call, deadline: now &+ callTimeoutMs))
    return state == .ready ? sendQueue() : []
  }

  private mutating func sendQueue() -> [Action] {
    var actions: [Action] = []
    while sent.count < maxInFlight, !queue.isEmpty {
      let call = queue.removeFirst()
      lastID += 1
      let text = ClientMessage.call(call.call).encoded(id: lastID)
      guard text.count <= maxMessageBytes else {
        let error = ChatSDK.ChatError(.tooLarge, "A message to the gateway must have at most \(maxMessageBytes) bytes")
        actions.append(.answer(call.key, .failure(error)))
        continue
      }
      sent[lastID] = call
      actions.append(.send(text))
    }
    return actions
  }

  /// Gives up what waited for too long.
  mutating func tick(at now: UInt64) -> [Action] {
    let late = sent.filter { $0.value.deadline <= now }
    for id in late.keys { sent[id] = nil }
    let unsent = queue.filter { $0.deadline <= now }
    queue.removeAll { $0.deadline <= now }
    let answers = (late.sorted { $0.key < $1.key }.map(\.value) + unsent).map { Action.answer($0.key, .failure(.timedOut)) }
    return answers + (late.isEmpty || state != .ready ? [] : sendQueue())
  }
}

extension ChatCall {
  /// Whether it is about a subscription, which ends with its connection.
  fileprivate var isOfTopic: Bool {
    switch self {
    case .subscribe, .unsubscribe, .loadMore: true
    case .operation, .create, .sendText, .editText: false
    }
  }
}

extension LinkEnd {
  /// What listeners are told.
  fileprivate var error: ChatSDK.ChatError {
    switch self {
    case .closed(let code, let reason): ChatError(.connectionLost, "The gateway closed with \(code): \(reason)")
    case .refused(let status): ChatError(.connectionLost, "The upgrade was answered \(status)")
    case .broken(let reason), .insecure(let reason): ChatError(.connectionLost, reason)
    }
  }
}

extension ChatSDK.ChatError {
  /// Takes over an error that the gateway answered.
  init(_ error: RPCError) {
    self.init(
      Code(rawValue: error.kind.code) ?? .internalError, error.message, field: error.field,
      retryAfter: error.retryAfterMs.map { .milliseconds($0) }, reason: error.reason)
  }
}
