import ChatEngine
import ChatModel
import GatewayProtocol

/// Decides what a connection may do: nothing but open a session, everything its role permits, or nothing any more.
struct SessionMachine {
  /// A session that is open.
  struct Open: Hashable {
    var caller: Caller
    /// The session's name on the wire.
    let session: String
    /// The role that rules the session.
    let role: String
    /// Whether the token gave that role; otherwise it is the user's own.
    let isRoleOfToken: Bool
    /// Seconds since the epoch; nil when the session does not expire.
    var expiresAt: Int64?
    /// Whether the user is a guest of whom nothing is stored yet.
    var isProvisional: Bool

    /// Why a token may not extend the session: one of another user, or with which it would be another session; nil where it may.
    func refusal(ofRefreshBy request: SessionRequest) -> ChatError? {
      if request.user != caller.user { return ChatError(.forbidden, "The token is another user's", field: "token") }
      if request.kind != caller.kind { return ChatError(.forbidden, "The token's tokenType is not the session's", field: "token") }
      let hasSameRole = request.role.map { $0 == role } ?? !isRoleOfToken
      return hasSameRole ? nil : ChatError(.forbidden, "The token's role is not the session's", field: "token")
    }
  }

  private enum State: Hashable {
    /// Nobody is known yet; how many tokens were bad. Next: `opening`, `closed` with the last bad token.
    case unauthenticated(failures: Int)
    /// The user is being looked up. Next: `open`, `unauthenticated`, `closed`.
    case opening(SessionRequest, failures: Int)
    /// Calls are performed. Next: `persisting`, `closed`.
    case open(Open)
    /// A guest's row is being written before the first change. Next: `open`.
    case persisting(Open)
    /// The session is over. Terminal.
    case closed
  }

  /// What the shell does about a call.
  enum Disposition: Hashable {
    case answerPing
    /// Check the token, then come back with `opening` or `tokenRefused`.
    case verify(token: String)
    /// Check the token, then come back with `refreshing`.
    case verifyRefresh(token: String)
    /// Make a guest, then come back with `opening`.
    case makeGuest(name: String?, id: UserID?)
    /// Keep the call until the session is open.
    case wait
    /// Write the guest's row first and keep the call until `persisted`.
    case persistFirst
    case perform(Caller)
    /// Reply, then close with 1000.
    case closeSession
    case refuse(ChatError)
  }

  /// How many bad tokens a connection may offer (`docs/opening.md`).
  static let maxFailures = 5

  private var state: State = .unauthenticated(failures: 0)

  /// The open session.
  var open: Open? {
    switch state {
    case .open(let session), .persisting(let session): session
    case .unauthenticated, .opening, .closed: nil
    }
  }

  /// The user, known as soon as the session is opening.
  var user: UserID? {
    switch state {
    case .open(let session), .persisting(let session): session.caller.user
    case .opening(let request, _): request.user
    case .unauthenticated, .closed: nil
    }
  }

  /// The role that the token of an opening session asks for.
  var requestedRole: String? {
    if case .opening(let request, _) = state { request.role } else { nil }
  }

  /// Whether the authentication is still missing.
  var isUnauthenticated: Bool {
    switch state {
    case .unauthenticated, .opening: true
    case .open, .persisting, .closed: false
    }
  }

  /// A call arrived.
  mutating func requested(_ request: ClientRequest, actAs: UserID?) -> Disposition {
    if request == .ping, actAs == nil || open == nil { return .answerPing }
    switch state {
    case .unauthenticated:
      switch request {
      case .openSession(.token(let token)): return .verify(token: token)
      case .openSession(.guest(let name, let id)): return .makeGuest(name: name, id: id)
      case .ping: return .answerPing
      case .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .createConversation, .chat, .subscribe, .unsubscribe,
        .loadMore, .cancel:
        return .refuse(ChatError(.unauthenticated, "Open a session first"))
      }
    case .opening, .persisting: return .wait
    case .open(let session): return requested(request, actAs: actAs, in: session)
    case .closed: return .refuse(ChatError(.unauthenticated, "The session is closed"))
    }
  }

  private mutating func requested(_ request: ClientRequest, actAs: UserID?, in session: Open) -> Disposition {
    var caller = session.caller
    if let actAs {
      guard caller.kind == .app else { return .refuse(ChatError(.forbidden, "Only a backend may act for another user", field: "actAs")) }
      caller = Caller(user: actAs, kind: .app, permissions: caller.permissions, isActing: true)
    }
    switch request {
    case .ping: return .answerPing
    case .openSession: return .refuse(ChatError(.conflict, "A session is open already"))
    case .refreshSession(let token): return .verifyRefresh(token: token)
    case .closeSession: return .closeSession
    case .listSessions(let user), .revokeSessions(let user):
      guard user == caller.user || caller.kind == .app else {
        return .refuse(ChatError(.forbidden, "You may see and end only your own sessions", field: "user"))
      }
      return .perform(caller)
    case .createConversation, .chat:
      guard session.isProvisional, request.changesSomething else { return .perform(caller) }
      state = .persisting(session)
      return .persistFirst
    case .fileToken, .subscribe, .unsubscribe, .loadMore, .cancel: return .perform(caller)
    }
  }

  /// A token was good, or a guest was made: the user is looked up next.
  mutating func opening(_ request: SessionRequest) {
    guard case .unauthenticated(let failures) = state else { return }
    state = .opening(request, failures: failures)
  }

  /// A token was bad; returns whether it was one too many: then no other is looked at, also of the same batch.
  mutating func tokenRefused() -> Bool {
    switch state {
    case .unauthenticated(let failures), .opening(_, let failures):
      let isLast = failures + 1 >= Self.maxFailures
      state = isLast ? .closed : .unauthenticated(failures: failures + 1)
      return isLast
    case .open, .persisting, .closed: return false
    }
  }

  /// The session could not be opened for a reason of the server's, which is no bad token.
  mutating func openingFailed() {
    if case .opening(_, let failures) = state { state = .unauthenticated(failures: failures) }
  }

  /// The user was found or made; returns the session that is open now.
  ///
  /// - Parameter muted: Whom the session does not see.
  mutating func admitted(as role: String, with permissions: Permissions, muted: Set<UserID> = []) -> Open? {
    guard case .opening(let request, _) = state else { return nil }
    let caller = Caller(user: request.user, kind: request.kind, permissions: permissions, muted: muted)
    let session = Open(
      caller: caller, session: request.session, role: role, isRoleOfToken: request.role != nil, expiresAt: request.expiresAt,
      isProvisional: request.kind == .guest)
    state = .open(session)
    return session
  }

  /// A new token of the same user was good; returns the session with its new end.
  mutating func refreshed(expiresAt: Int64?) -> Open? {
    switch state {
    case .open(var session):
      session.expiresAt = expiresAt
      state = .open(session)
      return session
    case .persisting(var session):
      session.expiresAt = expiresAt
      state = .persisting(session)
      return session
    case .unauthenticated, .opening, .closed: return nil
    }
  }

  /// The session does not see these users from now on; says whether that is news.
  mutating func muted(_ users: Set<UserID>) -> Bool {
    switch state {
    case .open(var session) where session.caller.muted != users:
      session.caller.muted = users
      state = .open(session)
    case .persisting(var session) where session.caller.muted != users:
      session.caller.muted = users
      state = .persisting(session)
    case .unauthenticated, .opening, .open, .persisting, .closed: return false
    }
    return true
  }

  /// The guest's row is written, or could not be.
  mutating func persisted(_ isWritten: Bool) {
    guard case .persisting(var session) = state else { return }
    session.isProvisional = !isWritten
    state = .open(session)
  }

  /// The session is over.
  mutating func close() { state = .closed }
}

extension ClientRequest {
  /// Whether the call may change something that others see.
  var changesSomething: Bool {
    switch self {
    case .createConversation: true
    case .chat(.onUser(_, let operation)): operation != .get && operation != .whereabouts
    case .chat(.onSelf(let operation)): operation != .muted
    case .chat(.markAllAsRead): true
    case .chat(.inConversation(_, let operation)):
      switch operation {
      case .get, .history, .getMessage, .getThread, .getParticipant, .listRestrictions, .listReports, .listInvitees, .here: false
      case .createIfNotExists, .set, .deleteFields, .delete, .send, .markAsRead, .markAsUnread, .markAsTyping, .startTyping, .stopTyping,
        .editMessage, .deleteMessage, .deleteMessageFields, .createParticipant, .setParticipant, .editParticipant, .deleteParticipant,
        .deleteParticipantFields, .restrict, .report, .dismissReports, .invite, .addReaction, .removeReaction, .pin, .unpin:
        true
      }
    case .ping, .openSession, .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .subscribe, .unsubscribe,
      .loadMore,
      .cancel:
      false
    }
  }
}
