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
    /// The record is known, or known to be absent. Next: `checking`, `committing`, `keeping`.
    case ready
    /// What a request needs to know is being read; nil when the one who asked is gone. Next: `ready`.
    case checking(UserRequest?)
    /// The record as it will be is being written. Next: `ready`.
    case committing(UserRecord, then: UserOutcome)
    /// What is kept beside the record is being written for a call. Next: `ready`.
    case keeping(CallID)
  }

  package let id: UserID
  private var settings: ChatSettings
  private var state: State = .cold
  /// The user as others may see it: kept by the store, or provisional.
  private(set) var record: UserRecord?
  /// Whether the record is only in memory: a guest who has changed nothing yet leaves no row behind.
  private(set) var isProvisional = false
  private var queue: [UserRequest] = []
  /// Subscriptions whose question failed, and those that found the queue full; tried again when the wish of `.wake` comes due.
  private var parked: [UserRequest] = []
  var sessions = UserSessions()
  var presence: PresenceMachine
  var activity: ActivityPace
  var watchers: UserWatchers
  var look = Look.none
  /// Holds back all but applications.
  private var pace = ChangePace()
  /// When what the store failed at is tried again, by the tick.
  private(set) var retryAt: UInt64?
  /// The tick of the last `wake`.
  var wakeAt: UInt64?

  /// Makes a machine that knows nothing yet.
  package init(id: UserID, settings: ChatSettings) {
    self.id = id
    self.settings = settings
    presence = PresenceMachine(graceMs: settings.presenceGraceMs)
    activity = ActivityPace(intervalMs: settings.activityIntervalMs)
    watchers = UserWatchers(showsActivity: activity.isKept)
  }

  /// Whether nobody is connected or watching and nothing is under way, so that the machine may be forgotten.
  package var isIdle: Bool {
    guard queue.isEmpty, parked.isEmpty, sessions.isEmpty, !presence.isOnline, watchers.isEmpty else { return false }
    switch state {
    case .cold, .ready: return true
    case .loading, .checking, .committing, .keeping: return false
    }
  }

  // MARK: - Requests

  /// A call on the user arrives.
  package mutating func called(_ operation: UserOperation, by caller: Caller, as call: CallID, at moment: Moment) -> [EngineAction] {
    guard hasRoom(Self.maxWaiting) else { return [.reply(call, .failure(Self.tooManyWait))] }
    return enqueue(.call(operation, caller, call), at: moment)
  }

  /// A session with a verified token wants to open.
  package mutating func opening(_ opening: SessionRequest, as call: CallID, at moment: Moment) -> [EngineAction] {
    advance(.open(opening, call), at: moment)
  }

  /// A guest is about to change something: the record must be kept before.
  package mutating func persist(as call: CallID, at moment: Moment) -> [EngineAction] {
    advance(.persist(call), at: moment)
  }

  /// Every session of the user ends, and tokens issued until now are refused from now on.
  package mutating func revoke(as call: CallID, at moment: Moment) -> [EngineAction] {
    advance(.revoke(call), at: moment)
  }

  /// A session is to end later, by a token that was issued then; both in seconds since the epoch.
  ///
  /// Refused like an opening.
  package mutating func refresh(issuedAt: Int64?, expiresAt: Int64?, as call: CallID, at moment: Moment) -> [EngineAction] {
    advance(.refresh(issuedAt: issuedAt, expiresAt: expiresAt, call), at: moment)
  }

  /// A connection wants to see `user:` or `online:`.
  package mutating func subscribed(
    _ subscriber: SubscriberID, to kind: TopicKind, viewer: Caller, at moment: Moment
  ) -> [EngineAction] {
    let request = UserRequest.subscribe(subscriber, kind, viewer: viewer)
    guard hasRoom(Self.maxWaitingSubscriptions) else { return park(request, at: moment) }
    return enqueue(request, at: moment)
  }

  // MARK: - Events that never wait

  /// Other roles are configured from now on.
  package mutating func rolesChanged(_ roles: Set<String>) { settings.roles = roles }

  /// A connection no longer watches.
  package mutating func unsubscribed(_ subscriber: SubscriberID) -> [EngineAction] {
    let guest = watchers.remove(subscriber)
    queue.removeAll { $0.subscribes(subscriber) }
    parked.removeAll { $0.subscribes(subscriber) }
    if case .checking(let asked?) = state, asked.subscribes(subscriber) { state = .checking(nil) }
    return guest.map { [.announceGuest($0, isWatching: false)] } ?? []
  }

  /// The user's open sessions are asked for.
  package func listSessions(as call: CallID) -> [EngineAction] { [.replyWithSessions(call, sessions.records)] }

  /// A connection of the user ended, perhaps before its session opened.
  package mutating func closed(_ endpoint: Endpoint, at moment: Moment) -> [EngineAction] {
    queue.removeAll { $0.opens(endpoint) }
    if case .committing(let changed, then: .admit(let session, _)) = state, session.endpoint == endpoint {
      state = .committing(changed, then: .nothing)
    }
    guard sessions.remove(endpoint), sessions.isEmpty else { return [] }
    return left(at: moment)
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
      guard case .success(let answers) = result, let fact = answers.first, asked.isSettled(by: fact) else {
        return giveUp(asked, at: moment) + proceed(at: moment)
      }
      return decide(asked, knowing: fact, at: moment) + proceed(at: moment)
    case .cold, .ready, .committing, .keeping: return []
    }
  }

  /// The store kept what `.commit` gave it, or says why not.
  package mutating func committed(_ error: StoreError?, at moment: Moment) -> [EngineAction] {
    if case .keeping(let call) = state {
      state = .ready
      return [.reply(call, error.map { .failure(.unavailable($0)) } ?? .success(.done))] + proceed(at: moment)
    }
    guard case .committing(let changed, then: let outcome) = state else { return [] }
    state = .ready
    if let error {
      if outcome == .activity { activity.postpone(at: moment) }
      return outcome.refusal(.unavailable(error)) + proceed(at: moment)
    }
    record = changed
    isProvisional = false
    // Nobody but the user's own watchers is shown when they were active.
    let news: [EngineAction] = outcome.isOwnMatter ? [] : [.announceUser(changed)]
    return complete(outcome, changed) + news + publish() + proceed(at: moment)
  }

  /// The wish of `.wake` came due: what waits for the store is tried again.
  package mutating func timeReached(at moment: Moment) -> [EngineAction] {
    wakeAt = nil
    let gone = tell(presence.timeReached(at: moment.tick))
    let shown = gone.isEmpty ? [] : gone + publish()
    guard let due = retryAt, due <= moment.tick else { return shown + proceed(at: moment) }
    retryAt = nil
    let count = min(parked.count, max(0, Self.maxWaitingSubscriptions - waitingCount))
    queue += parked.prefix(count)
    parked.removeFirst(count)
    let isLate = !parked.isEmpty
    if look == .late { look = .none }
    return shown + proceed(at: moment) + wantLook() + (isLate ? retry(at: moment) : [])
  }

  /// Wishes to be woken when the store is to be tried again.
  mutating func retry(at moment: Moment) -> [EngineAction] {
    retryAt = retryAt ?? moment.tick &+ Self.retryMs
    return wish()
  }

  /// How long a subscription waits after the store failed, milliseconds.
  static let retryMs: UInt64 = 1000

  // MARK: - The queue

  /// With how many waiting requests a call is refused: a flood of looks must not hold up the user's own calls for long.
  static let maxWaiting = 1_024
  /// With how many waiting requests a subscription is parked.
  static let maxWaitingSubscriptions = 4_096

  private static let tooManyWait = ChatError(.unavailable, "Too many calls wait for this user", retryAfterMs: 1000)

  private var waitingCount: Int { queue.count { !$0.isOpening } }

  private func hasRoom(_ most: Int) -> Bool { queue.count < most || waitingCount < most }

  /// Puts what concerns sessions before the readings of other connections that are last in the queue.
  private mutating func advance(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    let last = queue.lastIndex { !$0.isReading || $0.endpoint == request.endpoint }
    queue.insert(request, at: last.map { $0 + 1 } ?? 0)
    return proceed(at: moment)
  }

  private mutating func enqueue(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    queue.append(request)
    return proceed(at: moment)
  }

  private mutating func proceed(at moment: Moment) -> [EngineAction] {
    var actions: [EngineAction] = []
    while let request = queue.first {
      switch state {
      case .loading, .checking, .committing, .keeping: return actions
      case .cold:
        state = .loading
        return actions + [.read([.users([id])])]
      case .ready:
        queue.removeFirst()
        if let question = request.question(about: id) {
          state = .checking(request)
          return actions + [.read([question])]
        }
        actions += decide(request, at: moment)
      }
    }
    return actions + noteActivity(at: moment) + wish()
  }

  /// Whether the record is known and nothing is at the store.
  var isAtRest: Bool { state == .ready }

  /// The store failed: a call fails, a subscription stays pending.
  private mutating func giveUp(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    if let refusal = request.refusal(.unavailable) { return [refusal] }
    return park(request, at: moment)
  }

  private mutating func park(_ request: UserRequest, at moment: Moment) -> [EngineAction] {
    parked.append(request)
    return retry(at: moment)
  }

  // MARK: - Decisions

  private mutating func decide(_ request: UserRequest, knowing fact: StoreAnswer? = nil, at moment: Moment) -> [EngineAction] {
    let isVisible = fact != .flag(false)
    switch request {
    case .call(let operation, let caller, let call):
      guard isVisible else { return [.reply(call, .success(.user(nil)))] }
      if operation == .whereabouts { return whereabouts(for: caller, as: call) }
      if case .devices(let devices)? = fact { return keep(DeviceRules.changes(operation, of: id, devices), as: call) }
      if operation.isAboutMuted { return changeMuted(operation, as: call) }
      return perform(operation, by: caller, as: call, at: moment)
    case .open(let opening, let call): return open(opening, as: call, at: moment)
    case .persist(let call):
      guard isProvisional, let record else { return [.reply(call, .success(.done))] }
      return write(record, then: .reply(call, .done))
    case .refresh(let issuedAt, let expiresAt, let call):
      if isRevoked(issuedAt) { return [.reply(call, .failure(Self.revokedToken))] }
      sessions.refresh(call.endpoint, expiresAt: expiresAt)
      return [.reply(call, .success(.done))]
    case .revoke(let call): return write(UserRules.revoked(record, id: id, at: moment.wall), then: .revoke(call))
    case .subscribe(let subscriber, let kind, viewer: _):
      let guest = request.guest(lookingAt: id)
      let isNew = guest.map { !watchers.isWatching($0) } ?? false
      let shown = watchers.add(
        subscriber, to: kind, guest: guest, isVisible: isVisible, record, isConnected: presence.isOnline, of: id)
      guard let guest, isNew else { return [shown] }
      return [shown, .announceGuest(guest, isWatching: true)]
    }
  }

  private mutating func perform(
    _ operation: UserOperation, by caller: Caller, as call: CallID, at moment: Moment
  ) -> [EngineAction] {
    do throws(ChatError) {
      let rules = UserRules(settings: settings, caller: caller, user: id)
      let result = try rules.apply(operation, to: record, at: moment.wall)
      guard let changed = result, changed != record else { return [.reply(call, .success(.user(shown(result))))] }
      if caller.kind != .app { try pace.count(at: moment.tick) }
      return write(changed, then: .reply(call, .user(shown(changed))))
    } catch { return [.reply(call, .failure(error))] }
  }

  /// Writes what is kept beside the record.
  private mutating func keep(_ changes: [Change], as call: CallID) -> [EngineAction] {
    guard record != nil else { return [.reply(call, .failure(Self.noUser))] }
    guard !changes.isEmpty else { return [.reply(call, .success(.done))] }
    state = .keeping(call)
    return [.commit(ChangeSet(changes))]
  }

  private mutating func open(_ opening: SessionRequest, as call: CallID, at moment: Moment) -> [EngineAction] {
    if isRevoked(opening.issuedAt) { return [.refuseSession(call, Self.revokedToken)] }
    // Those that are being written are decided one after the other, so the count is right.
    let most = settings.sessionsPerUser
    if most > 0, sessions.count >= most { return [.refuseSession(call, Self.tooManySessions(most))] }
    var user = record ?? UserRules.firstSight(of: opening, at: moment.wall)
    let session = SessionRecord(
      session: opening.session, endpoint: call.endpoint, kind: opening.kind, role: opening.role ?? user.role, openedAt: moment.wall,
      expiresAt: opening.expiresAt)
    let isUnwritten = record == nil || isProvisional
    if isUnwritten, opening.kind != .guest {
      if activity.isKept { user.lastActiveAt = moment.wall }
      return write(user, then: .admit(session, call))
    }
    record = user
    isProvisional = isUnwritten
    // Before the session may ask who is here.
    return arrived(session) + [.admit(call, user)] + publish()
  }

  /// Whether a token issued then, in seconds since the epoch, is refused; one that does not say is where any was revoked.
  private func isRevoked(_ issuedAt: Int64?) -> Bool { record?.revokedAt.map { (issuedAt ?? $0) <= $0 } ?? false }

  private static func tooManySessions(_ most: Int) -> ChatError {
    ChatError(.limitExceeded, "A user has at most \(most) sessions at a time; close another one first")
  }

  /// Nobody but a backend calls for a user who is not there.
  private static let noUser = ChatError(.notFound, "There is no such user", field: "actAs")
  private static let revokedToken = ChatError(.unauthenticated, "The token was revoked; ask for a new one", field: "token")

  mutating func write(_ changed: UserRecord, then outcome: UserOutcome) -> [EngineAction] {
    state = .committing(changed, then: outcome)
    return [.commit(ChangeSet([.putUser(changed)]))]
  }

  private mutating func complete(_ outcome: UserOutcome, _ user: UserRecord) -> [EngineAction] {
    switch outcome {
    case .reply(let call, let reply): return [.reply(call, .success(reply))]
    case .admit(let session, let call):
      return arrived(session) + [.admit(call, user)]
    case .revoke(let call):
      let open = sessions.endpoints
      return [.reply(call, .success(.count(open.count)))] + (open.isEmpty ? [] : [.endSessions(open)])
    case .muted(let call): return tellMuted(user, as: call)
    case .activity, .nothing: return []
    }
  }

  mutating func publish() -> [EngineAction] { watchers.publish(record, isConnected: presence.isOnline, of: id) }
}
