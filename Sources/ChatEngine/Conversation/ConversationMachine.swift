package import ChatModel

/// Decides for one conversation: its participants, its messages, its readers.
///
/// It alternates between deciding and committing. What arrives waits in the order of arrival. When nothing is asked of the
/// store, the facts that the first entries lack are asked for in one question; then they are decided one after the other on the
/// state in memory, and their changes are committed together (`Batch`). Nothing that was decided on an uncommitted state is told
/// to anybody before the commit: not a reply, not a snapshot. When a commit fails, the state in memory is thrown away and loaded
/// again.
package struct ConversationMachine {
  /// What is asked of the store at present; one thing at most.
  enum Flight {
    /// Next: `reading`, `committing`.
    case none
    /// The queries are with the store. Next: `none` with the answers or their failure.
    case reading([StoreQuery])
    /// The changes of `batch` are with the store. Next: `none` when they are kept or not.
    case committing

    var isNone: Bool { if case .none = self { true } else { false } }
    var isReading: Bool { if case .reading = self { true } else { false } }
    var isCommitting: Bool { if case .committing = self { true } else { false } }
  }

  package let id: ConversationID
  var settings: ChatSettings
  var state: ConversationState
  /// What a thread knows of its root; nil in other conversations.
  var thread: ThreadFacts?
  /// Whether the store may have another state than memory.
  var isOutdated = false
  var users = UserCache()
  /// Whether guests share a conversation with users whom they want to bring in, as the store said before this batch.
  var sights: [Sight: Bool] = [:]
  /// The files that waiting entries name, as the store answered; nil for one that is not there or not for the caller.
  var files: [FileWish: FileDetails?] = [:]
  var typing = TypingMachine()
  var present = PresentUsers()
  var limiter: SendLimiter
  /// Whether the gateway is about to stop: nobody waits for a turn any more.
  var isStopping = false
  var audience = Audience()
  var queue = CallQueue()
  var flight = Flight.none
  /// What is decided at present, or committed.
  var batch = Batch()
  var outbox = Outbox()

  /// Makes the machine of a conversation about which nothing is known yet.
  package init(id: ConversationID, settings: ChatSettings) {
    self.id = id
    self.settings = settings
    state = ConversationState(id: id)
    thread = ThreadRoot(of: id).map(ThreadFacts.init)
    limiter = SendLimiter(rules: settings.sendLimit)
  }

  /// The most calls that wait: so many are decided within seconds, and who comes later is told to.
  package static let maxQueued = 4_096
  private static let queueFull = ChatError(.unavailable, "Too many calls wait for this conversation", retryAfterMs: 1000)

  // MARK: Calls

  /// A call arrives; calls take effect in the order of their arrival.
  package mutating func called(
    _ operation: ConversationOperation, by caller: Caller, as call: CallID, at moment: Moment
  ) -> [EngineAction] {
    guard queue.count < Self.maxQueued else { return [.reply(call, .failure(Self.queueFull))] }
    queue.append(.call(call, operation, caller))
    return proceed(at: moment)
  }

  /// A call is no longer wanted; it is refused with `cancelled` when nothing was handed to the store for it.
  package mutating func cancelled(_ call: CallID, at moment: Moment) -> [EngineAction] {
    if limiter.remove(call) { return [.reply(call, .failure(Self.callCancelled))] }
    if queue.remove(.call(call)) {
      _ = limiter.takeTurn(call)
    } else {
      guard let subscriber = audience.cancelGrowing(call) else { return [] }
      if audience.growing[subscriber] == nil { _ = queue.remove(.loadMore(subscriber)) }
    }
    return [.reply(call, .failure(Self.callCancelled))]
  }

  // MARK: Subscriptions

  /// A connection wants to see a topic of this conversation; `from` lowers the first window to an item.
  package mutating func subscribed(
    _ subscriber: SubscriberID, to kind: TopicKind, viewer: UserID, muted: Set<UserID> = [], from: WindowStart?, at moment: Moment
  ) -> [EngineAction] {
    audience.add(subscriber, kind: kind, viewer: viewer, muted: muted)
    queue.append(.subscribe(subscriber, from: from))
    return proceed(at: moment)
  }

  /// A subscription ended; nothing is sent to it any more.
  package mutating func unsubscribed(_ subscriber: SubscriberID, at moment: Moment) -> [EngineAction] {
    _ = queue.remove(.subscribe(subscriber))
    _ = queue.remove(.loadMore(subscriber))
    let waiting = audience.remove(subscriber)
    if !flight.isCommitting { trimWindow() }
    return waiting.map { .reply($0, .failure(Self.notSubscribed)) }
  }

  /// A subscriber wants older items.
  package mutating func loadMore(
    _ count: Int?, for subscriber: SubscriberID, as call: CallID, at moment: Moment
  ) -> [EngineAction] {
    guard let kind = audience[subscriber]?.kind, let page = window(of: kind) else {
      return [.reply(call, .failure(Self.notSubscribed))]
    }
    let wanted = count ?? page.defaultPage
    // A call that finds one running gets that one's reply; its own count is ignored.
    if audience.growing[subscriber] == nil, !(1...max(1, page.maxPage)).contains(wanted) {
      return [.reply(call, .failure(.invalid("count", "must be from 1 to \(page.maxPage)")))]
    }
    guard audience.grow(subscriber, for: call) else { return [] }
    queue.append(.loadMore(subscriber, count: wanted))
    return proceed(at: moment)
  }

  // MARK: The store

  /// The store answered the question that `read` asked.
  package mutating func answered(_ result: Result<[StoreAnswer], StoreError>, at moment: Moment) -> [EngineAction] {
    guard case .reading(let queries) = flight else { return [] }
    flight = .none
    switch result {
    case .success(let answers):
      for (query, answer) in zip(queries, answers) { take(answer, to: query) }
      users.finishReading()
      state.finishHearing()
      outbox.retryAt = nil
      return proceed(at: moment)
    case .failure(let error):
      users.finishReading()
      return giveUp(error, at: moment)
    }
  }

  /// The store kept the changes that `commit` asked for, or did not.
  package mutating func committed(_ error: StoreError?, at moment: Moment) -> [EngineAction] {
    guard case .committing = flight else { return [] }
    flight = .none
    var output = Output()
    if let error { abandonBatch(error, &output) } else { completeBatch(&output, at: moment) }
    return proceed(output, at: moment)
  }

  // MARK: Other events

  /// A user's record changed.
  package mutating func userChanged(_ user: UserRecord, at moment: Moment) -> [EngineAction] {
    guard users.changed(user, isReading: flight.isReading) else { return [] }
    noteChange(of: user.id, at: moment)
    return finish(Output(), at: moment)
  }

  /// Other roles may moderate from now on.
  package mutating func moderatingRolesChanged(_ roles: Set<String>) { settings.moderatingRoles = roles }

  /// The last connection of a user ended.
  package mutating func userWentOffline(_ user: UserID, at moment: Moment) -> [EngineAction] {
    guard typing.end(user) else { return [] }
    noteTypists([user])
    return finish(Output(), at: moment)
  }

  /// The tick of the last `wake` has come.
  package mutating func timeReached(at moment: Moment) -> [EngineAction] {
    outbox.wakeAt = nil
    noteTypists(typing.expire(now: moment.tick))
    outbox.collectDue(at: moment.tick)
    let hasTurns = takeTurns(at: moment)
    if let retryAt = outbox.retryAt, retryAt <= moment.tick {
      outbox.retryAt = nil
      return proceed(at: moment)
    }
    return hasTurns ? proceed(at: moment) : finish(Output(), at: moment)
  }

  /// Whether nobody watches and nothing is under way, so that the machine may be forgotten.
  package var isIdle: Bool {
    audience.isEmpty && queue.isEmpty && flight.isNone && typing.isEmpty && limiter.isEmpty && !needsShowing
  }

  /// Whether somebody is typing.
  package var hasTypists: Bool { !typing.isEmpty }

  private static let callCancelled = ChatError(.cancelled, "The call was cancelled")
  static let notSubscribed = ChatError(.notFound, "There is no active subscription to this topic", field: "topic")
}
