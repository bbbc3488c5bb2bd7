import ChatEngine
import ChatModel
import GatewayProtocol

/// The subscriptions of one connection, one for each topic, by the topic's name.
struct Subscriptions {
  /// How a snapshot goes to the client.
  enum Showing: Equatable {
    /// Queue it under the key, in the place of one that waits there or behind everything.
    case queue(key: UInt32, replaces: Bool)
    /// It equals what was sent before the one that waits under the key: that one need not be sent.
    case takeBack(key: UInt32)
    /// It equals the last one.
    case skip
    /// The topic is not subscribed.
    case nothing
  }

  private var byTopic: [String: LiveSubscription] = [:]
  /// The filters of the lists that have one, by the topic's name.
  private(set) var filters: [String: ConversationFilter] = [:]
  private var lastKey: UInt32 = 0

  /// How many there are.
  var count: Int { byTopic.count }

  /// All of them, in no order.
  var all: Dictionary<String, LiveSubscription>.Values { byTopic.values }

  /// The subscription of a topic.
  subscript(topic: String) -> LiveSubscription? { byTopic[topic] }

  /// Adds a pending one; the caller knows that there is none of the topic.
  mutating func add(_ request: TopicRequest, as subscriber: SubscriberID, viewer: UserID) {
    byTopic[request.name] = LiveSubscription(
      machine: SubscriptionMachine(id: subscriber), key: newKey(), topic: request.topic, viewer: viewer)
    if let filter = request.filter { filters[request.name] = filter }
  }

  /// Ends one.
  mutating func remove(_ topic: String) -> LiveSubscription? {
    guard let removed = byTopic.removeValue(forKey: topic) else { return nil }
    if byTopic.isEmpty { byTopic = [:] }
    if filters.removeValue(forKey: topic) != nil, filters.isEmpty { filters = [:] }
    return removed
  }

  /// Ends all of them.
  mutating func removeAll() -> [LiveSubscription] {
    defer { (byTopic, filters) = ([:], [:]) }
    return Array(byTopic.values)
  }

  /// A snapshot came for a subscriber; says whether it is to be shown.
  mutating func snapshotCame(_ topic: String, for subscriber: SubscriberID) -> Bool {
    guard let index = byTopic.index(forKey: topic) else { return false }
    return byTopic.values[index].machine.snapshotCame(for: subscriber) == .show
  }

  /// Says how a snapshot goes to the client.
  ///
  /// - Parameter isWaiting: Whether the frame of a key waits in the connection's queue.
  mutating func show(_ snapshot: SharedSnapshot, isWaiting: (UInt32) -> Bool) -> Showing {
    guard let index = byTopic.index(forKey: snapshot.topic) else { return .nothing }
    guard byTopic.values[index].wasNull == snapshot.isNull else { return change(at: index, to: snapshot) }
    let key = byTopic.values[index].key
    let waits = isWaiting(key)
    if !waits { byTopic.values[index].sentHash = byTopic.values[index].lastHash }
    guard snapshot.hash != byTopic.values[index].lastHash else { return .skip }
    byTopic.values[index].lastHash = snapshot.hash
    return snapshot.hash == byTopic.values[index].sentHash ? .takeBack(key: key) : .queue(key: key, replaces: waits)
  }

  /// The first snapshot, or one that became null or is there again: it is always sent.
  private mutating func change(at index: Dictionary<String, LiveSubscription>.Index, to snapshot: SharedSnapshot) -> Showing {
    byTopic.values[index].wasNull = snapshot.isNull
    byTopic.values[index].lastHash = snapshot.hash
    byTopic.values[index].sentHash = snapshot.hash
    // A new key on both sides of a transition: what is queued before it is not replaced by what comes after.
    let key = newKey()
    byTopic.values[index].key = newKey()
    return .queue(key: key, replaces: false)
  }

  private mutating func newKey() -> UInt32 {
    lastKey &+= 1
    return lastKey
  }
}
