import ChatModel

/// What waits for its turn at a user's machine.
enum UserRequest: Hashable {
  case call(UserOperation, Caller, CallID)
  case open(SessionRequest, CallID)
  case persist(CallID)
  case revoke(CallID)
  /// A session wants a new end, with a token issued then; both in seconds since the epoch.
  case refresh(issuedAt: Int64?, expiresAt: Int64?, CallID)
  case subscribe(SubscriberID, TopicKind, viewer: Caller)

  /// The guest who may look at the user only where they share a conversation; nil for everyone else.
  func guest(lookingAt user: UserID) -> UserID? {
    switch self {
    case .call(.get, let caller, _), .subscribe(_, _, viewer: let caller):
      caller.kind == .guest && caller.user != user ? caller.user : nil
    case .call, .open, .persist, .revoke, .refresh: nil
    }
  }

  /// What has to be known beside the user's record before it can be decided.
  func question(about user: UserID) -> StoreQuery? {
    if wantsDevices { return .devices(user) }
    return guest(lookingAt: user).map { .areTogether($0, user) }
  }

  /// Whether the store's answer is one to its question.
  func isSettled(by answer: StoreAnswer) -> Bool {
    switch answer {
    case .devices: wantsDevices
    case .flag: !wantsDevices
    default: false
    }
  }

  /// How the request fails; nil for a subscription, which waits instead (`docs/protocol.md`, Topics).
  func refusal(_ error: ChatError) -> EngineAction? {
    switch self {
    case .call(_, _, let call), .persist(let call), .revoke(let call), .refresh(_, _, let call): .reply(call, .failure(error))
    case .open(_, let call): .refuseSession(call, error)
    case .subscribe: nil
    }
  }

  /// The connection that asked.
  var endpoint: Endpoint {
    switch self {
    case .call(_, _, let call), .open(_, let call), .persist(let call), .revoke(let call), .refresh(_, _, let call): call.endpoint
    case .subscribe(let subscriber, _, viewer: _): subscriber.endpoint
    }
  }

  /// Whether it changes nothing: what concerns sessions may pass it in the queue.
  var isReading: Bool {
    switch self {
    case .call(.get, _, _), .call(.whereabouts, _, _), .subscribe: true
    case .call, .open, .persist, .revoke, .refresh: false
    }
  }

  /// Whether it opens a session.
  var isOpening: Bool { if case .open = self { true } else { false } }

  /// Whether it opens the session of this connection.
  func opens(_ endpoint: Endpoint) -> Bool {
    if case .open(_, let call) = self { call.endpoint == endpoint } else { false }
  }

  /// Whether it is this subscription.
  func subscribes(_ subscriber: SubscriberID) -> Bool {
    if case .subscribe(subscriber, _, viewer: _) = self { true } else { false }
  }
}
