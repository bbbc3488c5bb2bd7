import ChatEngine
import ChatModel
import Crypto
import GatewayProtocol
import Observability
import Transport
import WebSocketProtocol

// Opening, refreshing and closing a session.
extension ChatSession {
  /// Opens a session with the token of the upgrade; the answer to the upgrade waits for it.
  func enter(_ claims: TokenClaims) {
    let request = Self.request(of: claims)
    machine.opening(request)
    let call = PendingCall(ownAt: SteadyClock.microseconds(), as: .open(guestToken: nil))
    hub.directory.shard(of: request.user).post(.open(request, register(call)))
  }

  func openSession(token: String, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    switch hub.verify(token) {
    case .success(let claims):
      let request = Self.request(of: claims)
      machine.opening(request)
      // Who comes back gets a new token, or a guest would be another one after 30 days.
      let renewed = claims.type == .guest ? hub.guestToken(of: request.user, name: claims.name) ?? token : nil
      open(request, waited, guestToken: renewed)
    case .failure(let refusal):
      hub.tokenRefused(refusal, of: connection)
      refuseOpening(PendingCall(waited), ChatError(.unauthenticated, refusal.sentence, field: "token"), connection, on: loop)
    }
  }

  func openGuest(name: String?, id: UserID?, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    let policy = hub.services.reloadable.guests
    guard policy != .refused else {
      return finish(waited, .failure(RPCError(.init(.forbidden, "Guests are not allowed here"))), connection, on: loop)
    }
    guard mayBeGuest else {
      let error = ChatError(.forbidden, "Guests are not allowed through a proxy or a unix socket")
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    if id?.isGuest == true, policy == .named {
      let error = ChatError.invalid("guest.id", "must not begin with \(UserID.guestPrefix): the server makes such ids")
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    if policy == .anonymous, let wait = hub.services.guestArrived(from: connection.client, at: loop.now.milliseconds) {
      let error = ChatError(.rateLimited, "Too many new guests come from this address", retryAfterMs: Int(clamping: wait))
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    let chosen = policy == .named ? id : nil
    let user = chosen ?? UserID(stored: UserID.guestPrefix + SecureRandom.token())
    let token = chosen == nil ? hub.guestToken(of: user, name: name) : nil
    let request = SessionRequest(
      user: user, kind: .guest, session: SecureRandom.token(), name: name ?? "Guest", issuedAt: SessionRequest.withoutToken)
    machine.opening(request)
    open(request, waited, guestToken: token)
  }

  private func open(_ request: SessionRequest, _ waited: WaitingCall, guestToken: String?) {
    let call = register(PendingCall(waited, as: .open(guestToken: guestToken)))
    hub.directory.shard(of: request.user).post(.open(request, call))
  }

  private static func request(of claims: TokenClaims) -> SessionRequest {
    let kind: Caller.Kind =
      switch claims.type {
      case .user: .user
      case .bot: .bot
      case .app: .app
      case .guest: .guest
      }
    return SessionRequest(
      user: UserID(stored: claims.user), kind: kind, role: claims.role, session: SecureRandom.token(), name: claims.name,
      photoUrl: claims.photoUrl, issuedAt: claims.issuedAt, expiresAt: claims.expiresAt)
  }

  // MARK: - Answers of the user's shard

  /// The user was found: the session is open.
  func admitted(_ call: CallID, _ user: UserRecord, _ connection: Connection, on loop: isolated EventLoop) {
    guard let known = calls.take(serial: call.serial), case .open(let guestToken) = known.kind else { return }
    let role = machine.requestedRole ?? user.role
    let muted = hub.services.chat.syncsMutedUsers ? Set(user.muted) : []
    guard let session = machine.admitted(as: role, with: hub.services.reloadable.permissions(of: role), muted: muted) else { return }
    takeTerm(session.expiresAt)
    hub.sessionOpened(session, of: connection)
    takeUserBudget(of: session.caller)
    let info = SessionInfo(
      session: session.session, user: user.snapshot, role: role, expiresAt: session.expiresAt.map { $0 &* 1000 }, token: guestToken)
    switch entry {
    case .header(let acceptance), .subprotocol(let acceptance):
      connection.upgrade(acceptance, on: loop)
      entry = nil
      sayHello(info, to: connection, on: loop)
    case .badToken, nil: finish(known, .success(.session(info)), connection, on: loop)
    }
    guard !isOver else { return }
    connection.limitsChanged(to: limits)
    hub.watch(self, on: loop)
    takeUpWaiting(connection, on: loop)
    roomCame(connection, on: loop)
  }

  /// The user's shard refused the session.
  func refused(_ call: CallID, _ error: ChatError, _ connection: Connection, on loop: isolated EventLoop) {
    guard let known = calls.take(serial: call.serial) else { return }
    if error.kind != .unavailable, error.kind != .limitExceeded {
      hub.tokenRefused(TokenProblem(reason: .session, sentence: error.message), of: connection)
    }
    switch (entry, error.kind) {
    case (.header(let acceptance), .limitExceeded), (.subprotocol(let acceptance), .limitExceeded):
      // Not 401, and not 4002: the token is good. A browser's script sees the close code only.
      connection.upgrade(acceptance, on: loop)
      close(.tooManyConnections, .tooManyConnections, connection, on: loop)
    case (.header, .unavailable): connection.respond(.unavailable, on: loop)
    case (.header, _): connection.respond(.text(401, error.message, fields: [.bearerChallenge]), on: loop)
    case (.subprotocol(let acceptance), let kind):
      connection.upgrade(acceptance, on: loop)
      let isOurFault = kind == .unavailable
      close(isOurFault ? .overloaded : .badToken, isOurFault ? .overloaded : .badToken, connection, on: loop)
    case (.badToken, _), (nil, _):
      refuseOpening(known, error, connection, on: loop)
      takeUpWaiting(connection, on: loop)
      roomCame(connection, on: loop)
    }
  }

  private func refuseOpening(_ call: PendingCall, _ error: ChatError, _ connection: Connection, on loop: isolated EventLoop) {
    let outcome = Result<CallResult, RPCError>.failure(RPCError(error))
    switch error.kind {
    case .unavailable:
      machine.openingFailed()
      finish(call, outcome, connection, on: loop)
    case .limitExceeded:
      machine.openingFailed()
      finish(call, outcome, closing: .tooManyConnections, .tooManyConnections, connection, on: loop)
    default:
      guard machine.tokenRefused() else { return finish(call, outcome, connection, on: loop) }
      finish(call, outcome, closing: .badToken, .badToken, connection, on: loop)
    }
  }

  // MARK: - Refreshing

  func refreshSession(token: String, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop) {
    guard let open = machine.open else { return }
    switch hub.verify(token) {
    case .failure(let refusal):
      hub.tokenRefused(refusal, of: connection)
      let error = ChatError(.unauthenticated, refusal.sentence, field: "token")
      finish(waited, .failure(RPCError(error)), connection, on: loop)
    case .success(let claims):
      let request = Self.request(of: claims)
      if let error = open.refusal(ofRefreshBy: request) {
        hub.tokenRefused(TokenProblem(reason: .claims, sentence: error.message), of: connection)
        return finish(waited, .failure(RPCError(error)), connection, on: loop)
      }
      // The user's machine knows which tokens were revoked.
      let call = register(PendingCall(waited, as: .refresh(expiresAt: request.expiresAt)))
      hub.directory.shard(of: request.user).post(
        .refresh(request.user, issuedAt: request.issuedAt, expiresAt: request.expiresAt, call))
    }
  }

  /// The user's machine took the new end of the session.
  func refreshed(_ call: PendingCall, expiresAt: Int64?, _ connection: Connection, on loop: isolated EventLoop) {
    guard machine.refreshed(expiresAt: expiresAt) != nil else {
      return finish(call, .failure(RPCError(ChatError(.unauthenticated, "The session is closed"))), connection, on: loop)
    }
    takeTerm(expiresAt)
    hub.watch(self, on: loop)
    finish(call, .success(.refreshed(expiresAt: expiresAt.map { $0 &* 1000 })), connection, on: loop)
  }

  /// The user's machine did not: the token is a revoked one, or the store did not say.
  func refreshRefused(_ call: PendingCall, _ error: ChatError, _ connection: Connection, on loop: isolated EventLoop) {
    if error.kind != .unavailable { hub.tokenRefused(TokenProblem(reason: .session, sentence: error.message), of: connection) }
    finish(call, .failure(RPCError(error)), connection, on: loop)
  }

  // MARK: - Guests

  /// Writes the guest's row; the call, and what follows it, waits for that.
  func persistGuest(before waited: WaitingCall) {
    guard let open = machine.open else { return }
    let call = register(PendingCall(ownAt: waited.startedAt, as: .persist(before: waited)))
    hub.directory.shard(of: open.caller.user).post(.persist(open.caller.user, call))
  }

  /// The guest's row is written, or the call that needed it fails.
  func persisted(
    _ waited: WaitingCall, _ result: Result<ChatReply, ChatError>, _ connection: Connection, on loop: isolated EventLoop
  ) {
    switch result {
    case .success:
      machine.persisted(true)
      perform(waited, connection, on: loop)
    case .failure(let error):
      machine.persisted(false)
      finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    takeUpWaiting(connection, on: loop)
  }

  // MARK: - Hello and time

  func sayHello(_ info: SessionInfo?, to connection: Connection, on loop: isolated EventLoop) {
    send(.notification(.hello(hub.hello(info, endpoint, mayBeGuest: mayBeGuest))), to: connection, on: loop)
  }

  /// A deadline of the session passed: the first authentication, or the token's end.
  func timeReached(_ connection: Connection, on loop: isolated EventLoop) {
    guard machine.open != nil else {
      if machine.isUnauthenticated { close(.authenticationTimeout, .authTimeout, connection, on: loop) }
      return
    }
    guard let term else { return }
    switch self.term?.step(at: WallClock.now() / 1000) {
    case .end: return close(.tokenExpired, .tokenExpired, connection, on: loop)
    case .announce: send(.notification(.sessionExpiring(expiresAt: term.expiresAt &* 1000)), to: connection, on: loop)
    case .wait, nil: break
    }
    hub.watch(self, on: loop)
  }

  /// Takes the end of the token that opened or refreshed the session; the same end again changes nothing.
  private func takeTerm(_ expiresAt: Int64?) {
    guard expiresAt != term?.expiresAt else { return }
    term = expiresAt.map { SessionTerm(expiresAt: $0, takenAt: WallClock.now() / 1000) }
  }

  /// When the session has to be looked at next, seconds since the epoch; nil for one that does not expire.
  var nextDeadline: Int64? { machine.open == nil ? nil : term?.nextDeadline }
}
