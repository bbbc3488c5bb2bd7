import ChatModel
import Locks

/// What a feed tells those who watch it.
protocol TopicSubscriber: AnyObject, Sendable {
  /// Tells subscribers of one chat apart.
  var id: UInt64 { get }
  func show(_ snapshot: TopicSnapshot, sequence: UInt64)
  func fail(_ error: ChatError)
}

/// One subscription: its life, and who waits for it.
final class SubscriptionRecord<State: SubscriptionState>: Sendable {
  private struct Content {
    var life = SubscriptionLife<State>()
    var connecting: [CheckedContinuation<Result<State, ChatError>, Never>] = []
    var ending: [CheckedContinuation<State, Never>] = []
    /// Whether the newest state is on its way to `onSnapshot`.
    var isDelivering = false
  }

  let id: UInt64
  let topic: Topic
  private let chat: ChatCore
  private let onState: (@Sendable (State) -> Void)?
  private let content = Lock(Content())
  private let activate: @Sendable (TopicSnapshot) -> State?

  init(
    _ id: UInt64, _ topic: Topic, _ chat: ChatCore, onState: (@Sendable (State) -> Void)?,
    activate: @escaping @Sendable (TopicSnapshot) -> State?
  ) {
    self.id = id
    self.topic = topic
    self.chat = chat
    self.onState = onState
    self.activate = activate
  }

  var state: State { content.withLock { $0.life.state } }

  // MARK: - Of the subscriber

  func unsubscribe() {
    change { $0.unsubscribe() }
    chat.detach(id, from: topic)
  }

  func loadMore(_ count: Int?) async throws(ChatError) {
    if content.withLock({ $0.life.isOver }) { throw .unsubscribed }
    _ = try await chat.loadMore(topic, count)
  }

  @Sendable func connection() async -> Result<State, ChatError> {
    await withCheckedContinuation { continuation in
      let known = content.withLock { content in
        if content.life.connection == nil { content.connecting.append(continuation) }
        return content.life.connection
      }
      if let known { continuation.resume(returning: known) }
    }
  }

  @Sendable func termination() async -> Result<State, Never> {
    .success(
      await withCheckedContinuation { continuation in
        let known = content.withLock { content in
          if !content.life.isOver { content.ending.append(continuation) }
          return content.life.isOver ? content.life.state : nil
        }
        if let known { continuation.resume(returning: known) }
      })
  }

  // MARK: - Changes

  private func change(_ event: (inout SubscriptionLife<State>) -> SubscriptionLife<State>.Change) {
    var woken = Content()
    let delivers = content.withLock { content -> Bool in
      let change = event(&content.life)
      woken.life = content.life
      if content.life.connection != nil { swap(&woken.connecting, &content.connecting) }
      if content.life.isOver { swap(&woken.ending, &content.ending) }
      guard change == .began || change == .changed, onState != nil, !content.isDelivering else { return false }
      content.isDelivering = true
      return true
    }
    if let connection = woken.life.connection { for waiter in woken.connecting { waiter.resume(returning: connection) } }
    for waiter in woken.ending { waiter.resume(returning: woken.life.state) }
    if delivers { chat.deliveries.add { [weak self] in self?.deliver() } }
  }

  /// Tells the newest snapshot: of several that came meanwhile the last one counts.
  private func deliver() {
    let state = content.withLock { content -> State? in
      content.isDelivering = false
      return content.life.isOver ? nil : content.life.state
    }
    if let state { onState?(state) }
  }
}

extension SubscriptionRecord: TopicSubscriber {
  func show(_ snapshot: TopicSnapshot, sequence: UInt64) {
    guard let active = activate(snapshot) else { return }
    change { $0.came(active, sequence: sequence) }
  }

  func fail(_ error: ChatError) { change { $0.fail(error) } }
}
