import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
import Transport
import WebSocketProtocol

/// The chat behind one connection: calls in, replies and snapshots out.
///
/// What it knows is in values; this class asks them, sends, and posts to the shards.
final class ChatSession: MessageReceiver {
  let hub: ChatHub
  let endpoint: Endpoint
  /// Whether the client may be a guest: not behind a proxy, not over a unix socket.
  let mayBeGuest: Bool
  var machine = SessionMachine()
  /// How the client authenticates in its upgrade; nil once that is over.
  var entry: UpgradeEntry?
  var calls = PendingCalls()
  var subscriptions = Subscriptions()
  /// What waits for room in the connection's queue.
  var pacing = OutputPacing()
  /// The batches that are not answered.
  var batches: [BatchReplies] = []
  /// Those of them that are done and wait for room.
  var finished: [BatchReplies] = []
  /// What is reserved for the call that is being dispatched, bytes.
  var grant = 0
  /// What the client may still ask for.
  var budget: CallBudget
  private var lastSerial: UInt64 = 0
  /// Whether the connection is gone: nothing is sent, registered or posted any more.
  private(set) var isOver = false
  /// The end of the session; nil where none is open, or it does not expire.
  var term: SessionTerm?
  /// The timer of the session's next deadline.
  var timer: TimerID?

  init(hub: ChatHub, endpoint: Endpoint, mayBeGuest: Bool, entry: UpgradeEntry? = nil) {
    self.hub = hub
    self.endpoint = endpoint
    self.mayBeGuest = mayBeGuest
    self.entry = entry
    budget = CallBudget(rate: hub.services.userBudgets.rate)
  }

  // MARK: - Of the connection

  var limits: MessageLimits { machine.isUnauthenticated ? hub.services.limits.beforeSession : hub.services.limits.messages }

  func opened(_ connection: Connection, on loop: isolated EventLoop) {
    switch entry {
    case .badToken: close(.badToken, .badToken, connection, on: loop)
    // The user was looked up before: the greeting follows with what was found.
    case .header, .subprotocol: break
    case nil:
      sayHello(nil, to: connection, on: loop)
      hub.watch(self, on: loop)
    }
  }

  func received(_ opcode: Opcode, _ payload: UnsafeRawBufferPointer, from connection: Connection, on loop: isolated EventLoop) {
    guard opcode == .text else { return close(.binaryMessage, .binaryRefused, connection, on: loop) }
    let now = SteadyClock.microseconds()
    switch hub.decoder.decode(payload) {
    case .single(let call): take(WaitingCall(call: call, startedAt: now, batch: nil), connection, on: loop)
    case .batch(let calls):
      hub.context.work.calls(calls.count)
      take(calls, at: now, connection, on: loop)
    case .refused(let error):
      let refusal = spend(at: now, connection, on: loop) ?? error
      hub.count(nil, OperationOutcome(refusal.kind), since: now)
      send(.failure(.null, refusal), to: connection, on: loop)
    case .ignored: _ = spend(at: now, connection, on: loop)
    case .invalidUTF8: close(.invalidUTF8, .invalidText, connection, on: loop)
    }
    if !pacing.isEmpty { runHeld(connection, on: loop) }
  }

  func ended(_ cause: CloseCause, _ connection: Connection, on loop: isolated EventLoop) {
    guard !isOver else { return }
    isOver = true
    endSession(because: cause)
    cancelCalls(onlyPages: !cause.leavesCallsBehind)
    calls.removeAll()
    pacing = OutputPacing()
    (batches, finished) = ([], [])
    if let timer { loop.cancel(timer) }
    timer = nil
    hub.forget(endpoint.connection)
  }

  /// The session is over, the connection perhaps not yet: the shards are told that nobody watches and nobody is here any more.
  func endSession(because cause: CloseCause) {
    for subscription in subscriptions.removeAll() {
      hub.count(subscription.topic.kind, from: subscription.state, to: nil)
      hub.unsubscribe(subscription)
    }
    giveBackUserBudget()
    // Also while the session is opening: its user's machine may know it already.
    if let user = machine.user { hub.directory.shard(of: user).post(.closed(user, endpoint)) }
    if let open = machine.open { hub.sessionEnded(open, of: endpoint.connection, cause) }
    machine.close()
  }

  // MARK: - Calls

  private func take(_ call: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    take(call, isFree: reserve(call), connection, on: loop)
  }

  private func take(_ call: WaitingCall, isFree: Bool, _ connection: Connection, on loop: isolated EventLoop) {
    guard !isOver else { return }
    switch (spend(at: call.startedAt, connection, on: loop), isFree) {
    case (nil, true): perform(call, connection, on: loop)
    case (let refusal?, true): refuse(call, refusal, connection, on: loop)
    case (let refusal, false):
      let error = refusal ?? Self.takenID
      hub.count(call.call.method, OperationOutcome(error.kind), since: call.startedAt)
      deliver(.failure(.null, error), call.batch, connection, on: loop)
    }
  }

  /// The entries of a batch all arrive before the first runs.
  private func take(_ entries: [ClientCall], at now: UInt64, _ connection: Connection, on loop: isolated EventLoop) {
    let batch = BatchReplies(calls: entries.count)
    batches.append(batch)
    let calls = entries.map { WaitingCall(call: $0, startedAt: now, batch: batch) }
    let areFree = calls.map(reserve)
    for (call, isFree) in zip(calls, areFree) { take(call, isFree: isFree, connection, on: loop) }
  }

  /// Takes the call's id into use; false where another call has it.
  private func reserve(_ call: WaitingCall) -> Bool {
    guard let id = call.call.id, id != .null else { return true }
    guard calls.arrived(id) else { return false }
    call.batch?.took(id)
    return true
  }

  private static let cancelled = RPCError(ChatError(.cancelled, "The request was cancelled"))
  private static let closed = RPCError(ChatError(.unauthenticated, "The session is closed"))
  private static let takenID = RPCError.invalidRequest("A request with this id is still being answered", field: "id")

  /// Does what the session's state says about a call whose id is taken.
  func perform(_ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    guard !isOver else { return }
    let request: ClientRequest
    switch waited.call.request {
    case .success(.cancel(let id)):
      cancel(id, connection, on: loop)
      return finish(waited, .success(.done), connection, on: loop)
    case .success(let known): request = known
    case .failure(let error): return finish(waited, .failure(error), connection, on: loop)
    }
    switch machine.requested(request, actAs: waited.call.actAs) {
    case .answerPing: finish(waited, .success(.pong(time: WallClock.now())), connection, on: loop)
    case .verify(let token): openSession(token: token, waited, connection, on: loop)
    case .verifyRefresh(let token): refreshSession(token: token, waited, connection, on: loop)
    case .makeGuest(let name, let id): openGuest(name: name, id: id, waited, connection, on: loop)
    case .wait: calls.hold(waited)
    case .persistFirst: persistGuest(before: waited)
    case .perform(let caller): pace(request, by: caller, waited, connection, on: loop)
    case .closeSession: closeSession(waited, connection, on: loop)
    case .refuse(let error): finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
  }

  /// Takes up what waited, in order; what still has to wait keeps its place.
  func takeUpWaiting(_ connection: Connection, on loop: isolated EventLoop) {
    for call in calls.takeWaiting() { perform(call, connection, on: loop) }
  }

  private func closeSession(_ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    endSession(because: .sessionClosed)
    // What waits for room is not begun any more; replies of the same batch would never come.
    for held in pacing.close() { finish(held.waited, .failure(Self.closed), connection, on: loop) }
    finish(PendingCall(waited), .success(.done), closing: .sessionClosed, .sessionClosed, connection, on: loop)
  }

  private func cancel(_ id: RequestID, _ connection: Connection, on loop: isolated EventLoop) {
    switch calls.cancellation(of: id) {
    case .ask(let conversation, let serial):
      hub.directory.shard(of: conversation).post(.cancel(conversation, CallID(endpoint: endpoint, serial: serial)))
    case .answer:
      guard let waited = calls.takeWaiting(id) else { return }
      finish(waited, .failure(Self.cancelled), connection, on: loop)
    case .nothing:
      guard let held = pacing.take(id) else { return }
      finish(held.waited, .failure(Self.cancelled), connection, on: loop)
    }
  }

  /// Nobody waits for the replies any more: what did not begin yet is not done.
  private func cancelCalls(onlyPages: Bool) {
    for (conversation, serial) in calls.cancellable(onlyPages: onlyPages) {
      hub.directory.shard(of: conversation).post(.cancel(conversation, CallID(endpoint: endpoint, serial: serial)))
    }
    guard onlyPages, hub.services.chat.limitsSends else { return }
    for (conversation, serial) in calls.sends {
      hub.directory.shard(of: conversation).post(.leaveQueue(conversation, CallID(endpoint: endpoint, serial: serial)))
    }
  }

  /// Draws the number of a call or a subscription.
  func nextSerial() -> UInt64 {
    lastSerial += 1
    return lastSerial
  }

  /// Registers a call whose reply comes later.
  func register(_ call: PendingCall, in conversation: ConversationID? = nil) -> CallID {
    let serial = nextSerial()
    var call = call
    call.reserved = takeGrant()
    calls.add(call, serial: serial, in: conversation)
    return CallID(endpoint: endpoint, serial: serial)
  }
}

extension CloseCause {
  /// Whether the connection broke off: neither did the client end it, nor does the gateway stop in good order.
  fileprivate var leavesCallsBehind: Bool {
    switch self {
    case .clientClosed, .sessionClosed, .drained: false
    case .peerVanished, .keepAliveExpired, .protocolViolation, .invalidText, .badCompression, .tooBig, .binaryRefused, .authTimeout,
      .badToken, .tokenExpired, .revoked, .slowReader, .rateLimited, .tooManyConnections, .overloaded, .handshakeFailed,
      .handshakeTimeout, .tlsFailed, .requestRefused, .requestServed, .socketError, .internalError:
      true
    }
  }
}
