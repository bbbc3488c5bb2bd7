import ChatModel

/// The subscribers of one user's topics, each with the hash of the last snapshot they were shown.
struct UserWatchers {
  private struct Watcher {
    let isVisible: Bool
    var lastHash: Int
  }

  private var ofUser: [SubscriberID: Watcher] = [:]
  private var ofOnline: [SubscriberID: Watcher] = [:]

  var isEmpty: Bool { ofUser.isEmpty && ofOnline.isEmpty }

  /// Adds a subscriber and shows what there is; one who may not see the user is shown nothing, now and later.
  mutating func add(
    _ subscriber: SubscriberID, to kind: TopicKind, isVisible: Bool, _ record: UserRecord?, isConnected: Bool, of id: UserID
  ) -> EngineAction {
    let seen = isVisible ? record : nil
    if kind == .online {
      let snapshot = Self.online(seen, isConnected)
      ofOnline[subscriber] = Watcher(isVisible: isVisible, lastHash: snapshot.hashValue)
      return .publish(.online(id), snapshot, to: [subscriber])
    }
    let snapshot = TopicSnapshot.user(seen?.snapshot)
    ofUser[subscriber] = Watcher(isVisible: isVisible, lastHash: snapshot.hashValue)
    return .publish(.user(id), snapshot, to: [subscriber])
  }

  mutating func remove(_ subscriber: SubscriberID) {
    ofUser[subscriber] = nil
    ofOnline[subscriber] = nil
  }

  /// Shows the user as it is now to those whose last snapshot differs.
  mutating func publish(_ record: UserRecord?, isConnected: Bool, of id: UserID) -> [EngineAction] {
    let actions = [
      Self.publish(.user(id), .user(record?.snapshot), to: &ofUser),
      Self.publish(.online(id), Self.online(record, isConnected), to: &ofOnline),
    ]
    return actions.compactMap(\.self)
  }

  private static func publish(
    _ topic: Topic, _ snapshot: TopicSnapshot, to watchers: inout [SubscriberID: Watcher]
  ) -> EngineAction? {
    let hash = snapshot.hashValue
    let behind = watchers.filter { $0.value.isVisible && $0.value.lastHash != hash }.keys.sorted { $0.order < $1.order }
    guard !behind.isEmpty else { return nil }
    for subscriber in behind { watchers[subscriber]?.lastHash = hash }
    return .publish(topic, snapshot, to: behind)
  }

  private static func online(_ record: UserRecord?, _ isConnected: Bool) -> TopicSnapshot {
    .online(record.map { OnlineSnapshot(user: $0.snapshot, isConnected: isConnected) })
  }
}
