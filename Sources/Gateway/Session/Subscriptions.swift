import ChatEngine
import GatewayProtocol

/// The subscriptions of one connection, one for each topic, by the topic's name.
struct Subscriptions {
  /// What is done about a snapshot that came.
  enum Arrival {
    /// Keep it until the batch is answered.
    case hold(BatchReplies)
    case show
    /// It belongs to a subscription that is no more.
    case ignore
  }

  private var byTopic: [String: LiveSubscription] = [:]
  private var lastKey: UInt32 = 0

  /// How many there are.
  var count: Int { byTopic.count }

  /// The subscription of a topic.
  subscript(topic: String) -> LiveSubscription? { byTopic[topic] }

  /// Adds a pending one; the caller knows that there is none of the topic.
  mutating func add(_ request: TopicRequest, as subscriber: SubscriberID, in batch: BatchReplies?) {
    byTopic[request.name] = LiveSubscription(
      machine: SubscriptionMachine(id: subscriber), topic: request.topic, key: newKey(), batch: batch)
  }

  /// Ends one.
  mutating func remove(_ topic: String) -> LiveSubscription? {
    guard let removed = byTopic.removeValue(forKey: topic) else { return nil }
    if byTopic.isEmpty { byTopic = [:] }
    removed.batch?.drop(topic)
    return removed
  }

  /// Ends all of them.
  mutating func removeAll() -> [LiveSubscription] {
    defer { byTopic = [:] }
    return Array(byTopic.values)
  }

  /// A snapshot came for a subscriber.
  mutating func snapshotCame(_ topic: String, for subscriber: SubscriberID) -> Arrival {
    guard let index = byTopic.index(forKey: topic), byTopic.values[index].machine.snapshotCame(for: subscriber) == .show else {
      return .ignore
    }
    guard let batch = byTopic.values[index].batch else { return .show }
    if batch.isOpen { return .hold(batch) }
    byTopic.values[index].batch = nil
    return .show
  }

  /// The key under which a snapshot is queued; nil for a topic that is not subscribed.
  mutating func keyToShow(_ topic: String, isNull: Bool) -> UInt32? {
    guard let index = byTopic.index(forKey: topic) else { return nil }
    guard byTopic.values[index].wasNull != isNull else { return byTopic.values[index].key }
    byTopic.values[index].wasNull = isNull
    // A new key on both sides of a transition: what is queued before it is not replaced by what comes after.
    let key = newKey()
    byTopic.values[index].key = newKey()
    return key
  }

  private mutating func newKey() -> UInt32 {
    lastKey &+= 1
    return lastKey
  }
}
