import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
import Transport

// Subscriptions and their snapshots.
extension ChatSession {
  func subscribe(
    _ request: TopicRequest, by caller: Caller, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop
  ) {
    if let known = subscriptions[request.name] {
      guard subscriptions.filters[request.name] == request.filter else {
        return finish(waited, .failure(RPCError(Self.otherFilter)), connection, on: loop)
      }
      let state: SubscriptionState = known.machine.isActive ? .active : .pending
      return finish(waited, .success(.subscription(topic: request.name, state)), connection, on: loop)
    }
    let most = hub.services.limits.maxSubscriptions
    guard subscriptions.count < most else {
      let error = ChatError(.limitExceeded, "A connection has at most \(most) subscriptions", field: "topic")
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    if request.filter != nil, subscriptions.filters.count >= ConversationFilter.maxLists {
      return finish(waited, .failure(RPCError(Self.tooManyFilters)), connection, on: loop)
    }
    let start: WindowStart?
    do throws(ChatError) { start = try request.start } catch {
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    let subscriber = SubscriberID(endpoint: endpoint, serial: nextSerial())
    subscriptions.add(request, as: subscriber, viewer: caller.user)
    hub.count(request.topic.kind, from: nil, to: .pending)
    // The reply is queued before the shard hears of it: no event of a topic precedes the reply to its subscribe.
    let held = HeldSubscription(request: request, subscriber: subscriber, caller: caller, start: start)
    waited.batch?.hold(held)
    finish(waited, .success(.subscription(topic: request.name, .pending)), connection, on: loop)
    // The reply may have been one byte too many for a slow reader: the shard must not hear of a connection that is gone.
    guard !isOver, waited.batch == nil else { return }
    pacing.hold(held)
  }

  private static let otherFilter = ChatError(.conflict, "The subscription is live with another filter", field: "filter")
  private static let tooManyFilters = ChatError(
    .limitExceeded, "A connection watches at most \(ConversationFilter.maxLists) lists with a filter", field: "filter")

  /// Tells the shard of a topic that somebody watches it.
  func tellShard(of held: HeldSubscription) {
    let topic = held.request.topic
    var viewer = held.caller
    // The list may have changed while the subscription waited.
    if !viewer.isActing, let own = machine.open?.caller { viewer.muted = own.muted }
    hub.shard(of: topic, viewer: viewer.user).post(
      .subscribe(topic, held.subscriber, viewer, from: held.start, filter: held.request.filter))
  }

  func unsubscribe(_ name: String, _ connection: Connection) {
    guard let subscription = subscriptions.remove(name) else { return }
    connection.drop(key: subscription.key)
    hub.count(subscription.topic.kind, from: subscription.state, to: nil)
    let subscriber = subscription.machine.id
    let isUntold = batches.contains { $0.drop(subscriber) }
    if !pacing.ended(subscriber), !isUntold { hub.unsubscribe(subscription) }
  }

  func loadMore(
    _ name: String, _ topic: Topic, _ count: Int?, _ waited: WaitingCall, _ connection: Connection, on loop: isolated EventLoop
  ) {
    guard let subscription = subscriptions[name], subscription.machine.isActive else {
      let error = ChatError(.notFound, "There is no active subscription to this topic", field: "topic")
      return finish(waited, .failure(RPCError(error)), connection, on: loop)
    }
    let subscriber = subscription.machine.id
    if let running = calls.runningPage(of: subscriber) {
      _ = register(PendingCall(waited, as: .joinedPage(of: running)))
      return
    }
    // The shard refuses a count out of range at once: whoever comes next does not share that.
    let isPage = hub.services.chat.pages(of: topic.kind).map { (1...max(1, $0.maxPage)).contains(count ?? $0.defaultPage) } ?? false
    let viewer = subscription.viewer
    let call = register(PendingCall(waited, as: isPage ? .page(of: subscriber) : .chat))
    hub.shard(of: topic, viewer: viewer).post(.loadMore(topic, subscriber, viewer: viewer, count: count, call))
  }

  // MARK: - Snapshots

  /// A snapshot came for one of the connection's subscriptions.
  func deliver(_ shared: SharedSnapshot, to subscriber: SubscriberID, _ connection: Connection, on loop: isolated EventLoop) {
    guard let before = subscriptions[shared.topic] else { return }
    guard subscriptions.snapshotCame(shared.topic, for: subscriber) else { return }
    let isFirst = !before.machine.isActive
    if isFirst { hub.count(before.topic.kind, from: .pending, to: .active) }
    show(shared, connection, on: loop)
    guard isFirst else { return }
    pacing.release(subscriber)
    roomCame(connection, on: loop)
  }

  /// Queues a snapshot, in the place of an older one that still waits; none that equals the last one is sent.
  func show(_ shared: SharedSnapshot, _ connection: Connection, on loop: isolated EventLoop) {
    switch subscriptions.show(shared, isWaiting: { connection.isWaiting(key: $0) }) {
    case .queue(let key, let replaces):
      if replaces { hub.context.metrics.delivery.collapses &+= 1 }
      connection.send(shared.frame, key: key, on: loop)
    case .takeBack(let key):
      hub.context.metrics.delivery.collapses &+= 1
      hub.context.metrics.delivery.snapshotsSkippedEqual &+= 1
      connection.drop(key: key)
    case .skip: hub.context.metrics.delivery.snapshotsSkippedEqual &+= 1
    case .nothing: break
    }
  }
}

extension ChatSettings {
  /// The measures of a topic's window; nil for topics without one.
  fileprivate func pages(of kind: TopicKind) -> Window? {
    switch kind {
    case .messages: messages
    case .participants: participants
    case .conversations: conversations
    case .conversation, .typing, .invitations, .user, .online: nil
    }
  }
}

extension TopicRequest {
  /// Where the first window begins; nil where that is not said.
  var start: WindowStart? {
    get throws(ChatError) {
      guard let from else { return nil }
      switch topic {
      case .messages(let conversation):
        guard let message = MessageID(from, in: conversation) else {
          throw ChatError(.notFound, "from is not a message of this conversation", field: "from")
        }
        return .message(message)
      case .participants:
        do throws(IdentifierViolation) { return .participant(try UserID(from)) } catch { throw .invalid("from", error.sentence) }
      case .conversation, .typing, .conversations, .invitations, .user, .online:
        throw .invalid("from", "has no meaning for this topic")
      }
    }
  }
}
