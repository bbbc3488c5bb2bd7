package import ChatModel

/// Decides for one user: the record, the open sessions, and who watches both.
///
/// Like a conversation it alternates: while a question or a commit is at the store, what arrives waits in order.
package struct UserMachine {
  /// Where the machine stands with the store.
  private enum State: Hashable {
    /// Nothing was asked yet. Next: `loading`.
    case cold
    /// The record is being read. Next: `ready`, or `cold` after a failure.
    case loading
    /// The record is known, or known to be absent. Next: `checking`, `committing`.
    case ready
    /// Whether a guest may see the user is being read; nil when the one who asked is gone. Next: `ready`.
    case checking(UserRequest?)
    /// The record as it will be is being written. Next: `ready`.
    case committing(UserRecord, then: UserOutcome)
  }

  package let id: UserID
  private let settings: ChatSettings
  private var state: State = .cold
  /// The user as others may see it: kept by the store, or provisional.
  private var record: UserRecord?
  /// Whether the record is only in memory: a guest who has changed nothing yet leaves no row behind.
  private var isProvisional = false
  private var queue: [UserRequest] = []
  /// Subscriptions whose question failed; tried again when the wish of `.wake` comes due.
  private var parked: [UserRequest] = []
  private var sessions = UserSessions()
  private var watchers = UserWatchers()
  /// Holds back all but applications.
  private var pace = ChangePace()

  /// Makes a machine that knows nothing yet.
  package init(id: UserID, settings: ChatSettings) {
    self.id = id
    self.settings = settings
  }

  /// Whether nobody is connected or watching and nothing is under way, so that the machine may be forgotten.
  package var isIdle: Bool {
    guard queue.isEmpty, parked.isEmpty, sessions.isEmpty, watchers.isEmpty else { return false }
    switch state {
    case .cold, .ready: return true
    case .loading, .checking, .committing: return false
    }
  }

  // MARK: - Requests

  /// A call on the user arrives.
  package mutating func called(_ operation: UserOperation, by caller: Caller, as call: CallID, at moment: Moment) -> [EngineAction] {
    enqueue(.call(operation, caller, call), at: moment)
  }

  /// A session with a verified token wants to open.
  package mutating func opening(_ opening: SessionRequest, as call: CallID, at moment: Moment) -> [EngineAction] {
    enqueue(.open(opening, call), at: moment)
  }

  /// A guest is about to change something: the record must be kept before.
  package mutating func persist(as call: CallID, at moment: Moment) -> [EngineAction] {
    enqueue(.persist(call), at: moment)
  }

  /// Every session of the user ends, and tokens issued until now are refused from now on.
  package mutating func revoke(as call: CallID, at moment: Moment) -> [EngineAction] {
    enqueue(.revoke(call), at: moment)
  }

  /// A connection wants to see `user:` or `online:`.
  package mutating func subscribed(
    _ subscriber: SubscriberID, to kind: TopicKind, viewer: Caller, at moment: Moment
  ) -> [EngineAction] {
    enqueue(.subscribe(subscriber, kind, viewer: viewer), at: moment)
  }

  // MARK: - Events that never wait

  /// A connection no longer watches.
  package mutating func unsubscribed(_ subscriber: SubscriberID) {
    watchers.remove(subscriber)
    queue.removeAll { $0.subscribes(subscriber) }
    parked.removeAll { $0.subscribes(subscriber) }
    if case .checking(let asked?) = state, asked.subscribes(subscriber) { state = .checking(nil) }
  }

  /// The user's open sessions are asked for.
  package func listSessions(as call: CallID) -> [EngineAction] { [.replyWithSessions(call, sessions.records)] }

  /// A session got a new expiry, in seconds since the epoch.
  package mutating func refreshed(_ endpoint: Endpoint, expiresAt: Int64?) { sessions.refresh(endpoint, expiresAt: expiresAt) }

  /// A connection of the user ended, perhaps before its session opened.
  package mutating func closed(_ endpoint: Endpoint) -> [EngineAction] {
    queue.removeAll { $0.opens(endpoint) }
    if case .committing(let changed, then: .admit(let session, _)) = state, session.endpoint == endpoint {
      state = .committing(changed, then: .nothing)
    }
    guard sessions.remove(endpoint), sessions.isEmpty else { return [] }
    return [.announceOffline(id)] + publish()
  }

  // MARK: - The store

  /// The store answered what `.read` asked.
  package mutating func answered(_ result: Result<[StoreAnswer], StoreError>, at moment: Moment) -> [EngineAction] {
    switch state {
    case .loading:
      guard case .success(let answers) = result, case .users(let users)? = answers.first else {
        state = .cold
        let waiting = queue
        queue = []
        return waiting.flatMap { giveUp($0, at: moment) }
      }
      record = users.first
      state = .ready
      return proceed(at: moment)
    case .checking(let asked):
      state = .ready
      guard let asked else { return proceed(at: moment) }
      guard case .success(let answers) = result, case .flag(let areTogether)? = answers.first else {
        return giveUp(asked, at: moment) + proceed(at: moment)
      }
      return decide(asked, isVisible: areTogether, at: moment) + proceed(at: moment)
    case .cold, .ready, .committing: return []
    }
  }

  /// The store kept what `.commit` gave it, or says why not.
  package mutating func committed(_ error: StoreError?, at moment: Moment) -> [EngineAction] {
    guard case .committing(let changed, then: let outcome) = state else { return [] }
    state = .ready
    if let error { return outcome.refusal(.unavailable(error)) + proceed(at: moment) }
    record = changed
    isProvisional = false
    return complete(outcome, changed) + [.announceUser(changed)] + publish() + proceed(at: moment)
  }

  /// The wish of `.wake` came due: subscriptions whose question failed are tried again.
  package mutating func timeReached(at moment: Moment) -> [EngineAction] {
    queue += parked
    parked = []
    return proceed(at: moment)
  }

  /// How long a subscription waits after the store failed, milliseconds.
  static let retryMs: UInt64 = 1000

  // MARK: - The queue

  private mutating func enqueue(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    queue.append(request)
    return proceed(at: moment)
  }

  private mutating func proceed(at moment: Moment) -> [EngineAction] {
    var actions: [EngineAction] = []
    while let request = queue.first {
      switch state {
      case .loading, .checking, .committing: return actions
      case .cold:
        state = .loading
        return actions + [.read([.users([id])])]
      case .ready:
        queue.removeFirst()
        if let guest = request.guest(lookingAt: id) {
          state = .checking(request)
          return actions + [.read([.areTogether(guest, id)])]
        }
        actions += decide(request, isVisible: true, at: moment)
      }
    }
    return actions
  }

  /// The store failed: a call fails, a subscription stays pending.
  private mutating func giveUp(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    if let refusal = request.refusal(.unavailable) { return [refusal] }
    parked.append(request)
    return parked.count == 1 ? [.wake(at: moment.tick &+ Self.retryMs)] : []
  }

  // MARK: - Decisions

  private mutating func decide(_ request: UserRequest, isVisible: Bool, at moment: Moment) -> [EngineAction] {
    switch request {
    case .call(let operation, let caller, let call):
      guard isVisible else { return [.reply(call, .success(.user(nil)))] }
      return perform(operation, by: caller, as: call, at: moment)
    case .open(let opening, let call): return open(opening, as: call, at: moment)
    case .persist(let call):
      guard isProvisional, let record else { return [.reply(call, .success(.done))] }
      return write(record, then: .reply(call, .done))
    case .revoke(let call): return write(UserRules.revoked(record, id: id, at: moment.wall), then: .revoke(call))
    case .subscribe(let subscriber, let kind, viewer: _):
      return [watchers.add(subscriber, to: kind, isVisible: isVisible, record, isConnected: !sessions.isEmpty, of: id)]
    }
  }

  private mutating func perform(
    _ operation: UserOperation, by caller: Caller, as call: CallID, at moment: Moment
  ) -> [EngineAction] {
    do throws(ChatError) {
      let rules = UserRules(settings: settings, caller: caller, user: id)
      let result = try rules.apply(operation, to: record, at: moment.wall)
      guard let changed = result, changed != record else { return [.reply(call, .success(.user(result?.snapshot)))] }
      if caller.kind != .app { try pace.count(at: moment.tick) }
      return write(changed, then: .reply(call, .user(changed.snapshot)))
    } catch { return [.reply(call, .failure(error))] }
  }

  private mutating func open(_ opening: SessionRequest, as call: CallID, at moment: Moment) -> [EngineAction] {
    if let revokedAt = record?.revokedAt, (opening.issuedAt ?? revokedAt) <= revokedAt {
      return [.refuseSession(call, ChatError(.unauthenticated, "The token was revoked; ask for a new one", field: "token"))]
    }
    let user = record ?? UserRules.firstSight(of: opening, at: moment.wall)
    let session = SessionRecord(
      session: opening.session, endpoint: call.endpoint, kind: opening.kind, role: opening.role ?? user.role, openedAt: moment.wall,
      expiresAt: opening.expiresAt)
    let isUnwritten = record == nil || isProvisional
    if isUnwritten, opening.kind != .guest { return write(user, then: .admit(session, call)) }
    record = user
    isProvisional = isUnwritten
    sessions.add(session)
    return [.admit(call, user)] + publish()
  }

  private mutating func write(_ changed: UserRecord, then outcome: UserOutcome) -> [EngineAction] {
    state = .committing(changed, then: outcome)
    return [.commit(ChangeSet([.putUser(changed)]))]
  }

  private mutating func complete(_ outcome: UserOutcome, _ user: UserRecord) -> [EngineAction] {
    switch outcome {
    case .reply(let call, let reply): return [.reply(call, .success(reply))]
    case .admit(let session, let call):
      sessions.add(session)
      return [.admit(call, user)]
    case .revoke(let call):
      let open = sessions.endpoints
      return [.reply(call, .success(.count(open.count)))] + (open.isEmpty ? [] : [.endSessions(open)])
    case .nothing: return []
    }
  }

  private mutating func publish() -> [EngineAction] { watchers.publish(record, isConnected: !sessions.isEmpty, of: id) }
}
