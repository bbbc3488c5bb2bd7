import ChatModel

/// One topic on the wire, whoever watches it: asked for again after each loss, with one page under way at a time.
struct TopicFeed: Equatable {
  private enum State: Equatable {
    /// Not asked for: there is no connection, or subscriptions are paused. Next: `asking`.
    case idle
    /// The answer to `subscribe` is awaited; what comes is of an earlier subscription. Next: `pending`, `idle`.
    case asking
    /// Accepted: the first snapshot is awaited. Next: `live`, `idle`.
    case pending
    /// Snapshots come. Next: `idle`.
    case live
  }

  private enum Page: Equatable {
    case none
    /// To be asked for as soon as the topic is live.
    case wanted(Int?)
    case running
  }

  /// What is to be done.
  enum Action: Equatable {
    case subscribe(from: String?, round: Int)
    case unsubscribe
    case loadMore(Int?, round: Int)
    /// Show the snapshot to everybody.
    case show
    /// Everybody who waits for a page gets this.
    case answerPage(Result<Bool, ChatError>)
    /// Call `connected()` again after that many milliseconds.
    case retry(afterMs: Int)
    /// The topic is over.
    case fail(ChatError)
  }

  private var state: State = .idle
  private var page: Page = .none
  /// Which request for the topic it is: what is answered to an earlier one is passed over.
  private var round: Int
  /// How many conversations a list showed before it was asked for again: it has no other way to keep its window.
  private var depth = 0
  private var asksWithoutStart = false
  /// The last snapshot and its number.
  private(set) var snapshot: TopicSnapshot?
  private(set) var sequence: UInt64 = 0

  /// Makes a feed that is not asked for; no other feed of the topic has the rounds behind this one.
  init(round: Int = 0) { self.round = round }

  /// A connection is there.
  mutating func connected() -> [Action] {
    guard state == .idle else { return [] }
    state = .asking
    round += 1
    depth = snapshot?.depth ?? 0
    return [.subscribe(from: asksWithoutStart ? nil : snapshot?.oldest, round: round)]
  }

  /// The connection is gone.
  mutating func lost() -> [Action] {
    state = .idle
    guard page == .running else { return [] }
    page = .none
    return [.answerPage(.failure(.connectionLost))]
  }

  /// Nothing is to come for a while, though there is a connection.
  mutating func paused() -> [Action] {
    guard state != .idle else { return [] }
    return lost() + [.unsubscribe]
  }

  /// `subscribe` was answered.
  mutating func answered(_ error: ChatError?, round: Int) -> [Action] {
    guard state == .asking, round == self.round else { return [] }
    guard let error else {
      state = .pending
      return []
    }
    state = .idle
    if error.isTemporary { return [.retry(afterMs: max(100, error.retryAfterMs ?? 1000))] }
    guard error.field == "from", !asksWithoutStart else { return [.fail(error)] }
    asksWithoutStart = true
    return connected()
  }

  /// A snapshot came.
  mutating func came(_ snapshot: TopicSnapshot) -> [Action] {
    guard state == .pending || state == .live else { return [] }
    state = .live
    asksWithoutStart = false
    self.snapshot = snapshot
    sequence += 1
    return [.show] + nextPage()
  }

  /// The other side ended the subscription.
  mutating func ended(_ error: ChatError?) -> [Action] {
    guard let error else { return lost() + [.retry(afterMs: 1000)] }
    return [.fail(error)]
  }

  /// Somebody wants to see more; whoever asks while a page is on its way gets that one.
  mutating func wantMore(_ count: Int?) -> [Action] {
    guard page == .none else { return [] }
    if state == .live, snapshot?.hasLoadedAll == true { return [.answerPage(.success(true))] }
    page = .wanted(count)
    return nextPage()
  }

  /// `loadMore` was answered.
  mutating func pageAnswered(_ result: Result<Bool, ChatError>, round: Int) -> [Action] {
    guard page == .running, round == self.round else { return [] }
    page = .none
    return [.answerPage(result)] + nextPage()
  }

  private mutating func nextPage() -> [Action] {
    guard state == .live else { return [] }
    switch page {
    case .running: return []
    case .wanted(let count):
      page = .running
      return [.loadMore(count, round: round)]
    case .none:
      guard let snapshot, snapshot.depth > 0, snapshot.depth < depth, snapshot.hasLoadedAll == false else {
        depth = 0
        return []
      }
      page = .running
      return [.loadMore(min(Self.conversationsPage, depth - snapshot.depth), round: round)]
    }
  }

  /// The most conversations of one page.
  private static let conversationsPage = 30
}

extension TopicSnapshot {
  /// The id of the last item of a list that can be asked for from an item on.
  fileprivate var oldest: String? {
    switch self {
    case .messages(let messages, loadedAll: _): messages?.last?.id.text
    case .participants(let participants, loadedAll: _): participants?.last?.user.id.text
    case .conversation, .typing, .conversations, .invitations, .user, .online: nil
    }
  }

  /// How many items a list shows that cannot be asked for from an item on.
  fileprivate var depth: Int { if case .conversations(let list, loadedAll: _) = self { list.count } else { 0 } }

  /// Whether nothing older is there; nil for what is no list.
  fileprivate var hasLoadedAll: Bool? {
    switch self {
    case .messages(_, let loadedAll), .participants(_, let loadedAll), .conversations(_, let loadedAll): loadedAll
    case .conversation, .typing, .invitations, .user, .online: nil
    }
  }
}
