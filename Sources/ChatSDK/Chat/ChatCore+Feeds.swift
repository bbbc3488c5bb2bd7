import ChatModel
import Locks

// The topics that are watched, and who watches them.
extension ChatCore {
  /// Makes a subscription and begins it.
  func subscribe<S: SnapshotState>(
    _ topic: (_ id: UInt64) -> Result<Topic, ChatError>, _ onState: (@Sendable (S) -> Void)?
  ) -> Subscription<S> {
    let id = state.withLock { nextID(&$0) }
    let translator = translator
    let named = topic(id)
    // Nobody watches a topic that cannot be named.
    let record = SubscriptionRecord<S>(id, (try? named.get()) ?? .conversations(label: nil), self, onState: onState) {
      S.active($0, translator)
    }
    switch named {
    case .success(let topic): attach(record, to: topic)
    case .failure(let error): record.fail(error)
    }
    return Subscription(record: record)
  }

  private func attach(_ subscriber: any TopicSubscriber, to topic: Topic) {
    let effects = state.withLock { state -> Effects in
      switch state.phase {
      case .failed(let error): return [{ subscriber.fail(error) }]
      case .destroyed: return [{ subscriber.fail(.destroyed) }]
      case .fresh, .open: break
      }
      // Room for the rounds of this feed before those of the next.
      state.feeds[topic, default: ChatState.Feed(machine: TopicFeed(round: Int(truncatingIfNeeded: subscriber.id) &* 65_536))].subscribers
        .append(subscriber)
      guard let machine = state.feeds[topic]?.machine else { return [] }
      if let snapshot = machine.snapshot { return [{ subscriber.show(snapshot, sequence: machine.sequence) }] }
      return state.isConnected && !state.isPaused ? feed(topic, &state) { $0.connected() } : []
    }
    Self.run(effects)
  }

  func detach(_ id: UInt64, from topic: Topic) {
    let effects = state.withLock { state -> Effects in
      state.feeds[topic]?.subscribers.removeAll { $0.id == id }
      guard let feed = state.feeds[topic], feed.subscribers.isEmpty else { return [] }
      var machine = feed.machine
      let effects = perform(machine.paused(), topic, &state)
      state.feeds[topic] = nil
      return effects + [finish(feed.pages, .failure(.unsubscribed), &state)]
    }
    Self.run(effects)
  }

  /// Shows more of a list.
  func loadMore(_ topic: Topic, _ count: Int?) async throws(ChatError) -> ChatReply {
    try await waitForAnswer { (id, state) throws(ChatError) in
      guard state.feeds[topic] != nil else { throw .unsubscribed }
      state.feeds[topic]?.pages.append(id)
      return feed(topic, &state) { $0.wantMore(count) }
    }
  }

  func all(_ state: inout ChatState, _ event: (inout TopicFeed) -> [TopicFeed.Action]) -> Effects {
    state.feeds.keys.flatMap { feed($0, &state, event) }
  }

  func feed(_ topic: Topic, _ state: inout ChatState, _ event: (inout TopicFeed) -> [TopicFeed.Action]) -> Effects {
    guard var feed = state.feeds[topic] else { return [] }
    let actions = event(&feed.machine)
    state.feeds[topic] = feed
    return perform(actions, topic, &state)
  }

  private func perform(_ actions: [TopicFeed.Action], _ topic: Topic, _ state: inout ChatState) -> Effects {
    actions.flatMap { action -> Effects in
      switch action {
      case .subscribe(let from, let round):
        transport.perform(.subscribe(topic, from: from)) { [weak self] in self?.answered($0, topic, round) }
      case .unsubscribe: transport.perform(.unsubscribe(topic)) { _ in }
      case .loadMore(let count, let round):
        transport.perform(.loadMore(topic, count: count)) { [weak self] in self?.pageAnswered($0, topic, round) }
      case .show:
        guard let feed = state.feeds[topic], let snapshot = feed.machine.snapshot else { return [] }
        return [{ for subscriber in feed.subscribers { subscriber.show(snapshot, sequence: feed.machine.sequence) } }]
      case .answerPage(let result):
        let pages = state.feeds[topic]?.pages ?? []
        state.feeds[topic]?.pages = []
        return [finish(pages, result.map { .loadedAll($0) }, &state)]
      case .retry(let milliseconds): later(Int64(milliseconds)) { $0.retry(topic) }
      case .fail(let error):
        let feed = state.feeds.removeValue(forKey: topic)
        let pages = finish(feed?.pages ?? [], .failure(error), &state)
        return [pages, { for subscriber in feed?.subscribers ?? [] { subscriber.fail(error) } }]
      }
      return []
    }
  }

  private func finish(_ pages: [UInt64], _ result: Result<ChatReply, ChatError>, _ state: inout ChatState) -> @Sendable () -> Void {
    let waiters = pages.compactMap { state.waiters.removeValue(forKey: $0) }
    return { for waiter in waiters { waiter.resume(returning: result) } }
  }

  private func answered(_ result: Result<ChatReply, ChatError>, _ topic: Topic, _ round: Int) {
    let error: ChatError? = if case .failure(let error) = result { error } else { nil }
    Self.run(state.withLock { feed(topic, &$0) { $0.answered(error, round: round) } })
  }

  private func pageAnswered(_ result: Result<ChatReply, ChatError>, _ topic: Topic, _ round: Int) {
    let loadedAll = result.map { if case .loadedAll(let all) = $0 { all } else { false } }
    Self.run(state.withLock { feed(topic, &$0) { $0.pageAnswered(loadedAll, round: round) } })
  }

  private func retry(_ topic: Topic) {
    let effects = state.withLock { state -> Effects in
      guard case .open = state.phase, state.isConnected, !state.isPaused else { return [] }
      return feed(topic, &state) { $0.connected() }
    }
    Self.run(effects)
  }
}
