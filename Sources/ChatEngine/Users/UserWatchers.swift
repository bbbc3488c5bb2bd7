import ChatModel

/// The subscribers of one user's topics, each with the hash of the last snapshot they were shown.
struct UserWatchers {
  /// Whether a guest sees the user.
  private enum Sight {
    case visible
    case hidden
    /// It is being asked: the guest is shown nothing new until then.
    case inDoubt
  }

  private struct Watcher {
    /// Nil for those who see everybody.
    let guest: UserID?
    var lastHash: Int
  }

  private struct Guest {
    var watchers = 0
    var sight = Sight.inDoubt
  }

  /// Whether the user is shown with the time at which they were active last.
  private let showsActivity: Bool
  private var ofUser: [SubscriberID: Watcher] = [:]
  private var ofOnline: [SubscriberID: Watcher] = [:]
  private var guests: [UserID: Guest] = [:]
  /// The guests about whom the store was not asked since they came into doubt.
  private var doubted: Set<UserID> = []
  /// The guests about whom the store is being asked, and who watched all the while.
  private var asked: Set<UserID> = []

  /// Nobody watches.
  init(showsActivity: Bool = false) { self.showsActivity = showsActivity }

  var isEmpty: Bool { ofUser.isEmpty && ofOnline.isEmpty }

  /// Whether a guest watches.
  func isWatching(_ guest: UserID) -> Bool { guests[guest] != nil }

  // MARK: - Coming and going

  /// Adds a subscriber and shows what there is, or nothing where they may not see the user.
  ///
  /// - Parameters:
  ///   - guest: Who sees only those with whom they share a conversation. What a new one is shown next waits for `settle`.
  ///   - isVisible: What the store said of a guest; what is known of one who watches may be newer, and counts.
  mutating func add(
    _ subscriber: SubscriberID, to kind: TopicKind, guest: UserID? = nil, isVisible: Bool, _ record: UserRecord?, isConnected: Bool,
    of id: UserID
  ) -> EngineAction {
    let isVisible = guest.flatMap { knownSight(of: $0) } ?? isVisible
    if let guest { guests[guest, default: Guest()].watchers += 1 }
    let seen = isVisible ? record : nil
    if kind == .online {
      let snapshot = online(seen, isConnected)
      ofOnline[subscriber] = Watcher(guest: guest, lastHash: snapshot.hashValue)
      return .publish(.online(id), snapshot, to: [subscriber])
    }
    let snapshot = TopicSnapshot.user(shown(seen))
    ofUser[subscriber] = Watcher(guest: guest, lastHash: snapshot.hashValue)
    return .publish(.user(id), snapshot, to: [subscriber])
  }

  /// Takes a subscriber out; returns the guest who watches no more with it.
  mutating func remove(_ subscriber: SubscriberID) -> UserID? {
    guard let watcher = ofUser.removeValue(forKey: subscriber) ?? ofOnline.removeValue(forKey: subscriber),
      let id = watcher.guest, let guest = guests[id]
    else { return nil }
    guests[id]?.watchers = guest.watchers - 1
    guard guest.watchers <= 1 else { return nil }
    guests[id] = nil
    doubted.remove(id)
    asked.remove(id)
    return id
  }

  // MARK: - Guests

  /// Whether a guest sees the user; nil where it is in doubt, or they do not watch.
  private func knownSight(of guest: UserID) -> Bool? {
    switch guests[guest]?.sight {
    case .visible: true
    case .hidden: false
    case .inDoubt, nil: nil
    }
  }

  /// Whether there are guests about whom the store is to be asked.
  var hasDoubts: Bool { !doubted.isEmpty }

  /// A guest, or with nil every guest, may see the user or not any more, where such watch.
  mutating func doubt(_ guest: UserID?) {
    let known = guest.map { guests[$0] == nil ? [] : [$0] } ?? Array(guests.keys)
    for id in known { guests[id]?.sight = .inDoubt }
    doubted.formUnion(known)
  }

  /// Some of the guests about whom the store is to be asked now.
  mutating func takeDoubted(atMost most: Int) -> [UserID] {
    let taken = doubted.count <= most ? doubted : Set(doubted.prefix(most))
    doubted.subtract(taken)
    asked = taken
    return taken.sorted()
  }

  /// The store does not say; it is asked again about those who still watch.
  mutating func doubtAsked() {
    doubted.formUnion(asked)
    asked = []
  }

  /// The store says whether a guest sees the user; what came into doubt again since it was asked stays there, and who watches anew
  /// is asked about anew.
  mutating func settle(_ guest: UserID, isVisible: Bool) {
    guard asked.remove(guest) != nil, !doubted.contains(guest) else { return }
    guests[guest]?.sight = isVisible ? .visible : .hidden
  }

  // MARK: - Showing

  /// Shows the user as it is now to those whose last snapshot differs.
  mutating func publish(_ record: UserRecord?, isConnected: Bool, of id: UserID) -> [EngineAction] {
    var actions: [EngineAction] = []
    // Where no guest watches nothing is hidden from anybody.
    for isVisible in guests.isEmpty ? [true] : [true, false] {
      let seen = isVisible ? record : nil
      actions += show(.user(id), .user(shown(seen)), whereVisible: isVisible, to: \.ofUser)
      actions += show(.online(id), online(seen, isConnected), whereVisible: isVisible, to: \.ofOnline)
    }
    return actions
  }

  private mutating func show(
    _ topic: Topic, _ snapshot: TopicSnapshot, whereVisible isVisible: Bool,
    to watchers: WritableKeyPath<UserWatchers, [SubscriberID: Watcher]>
  ) -> [EngineAction] {
    let hash = snapshot.hashValue
    let sight = isVisible ? Sight.visible : .hidden
    let behind = self[keyPath: watchers].filter { _, watcher in
      watcher.lastHash != hash && (watcher.guest.map { guests[$0]?.sight ?? .hidden } ?? .visible) == sight
    }
    guard !behind.isEmpty else { return [] }
    let receivers = behind.keys.sorted { $0.order < $1.order }
    for subscriber in receivers { self[keyPath: watchers][subscriber]?.lastHash = hash }
    return [.publish(topic, snapshot, to: receivers)]
  }

  private func shown(_ record: UserRecord?) -> UserSnapshot? { record?.snapshot(showsActivity: showsActivity) }

  private func online(_ record: UserRecord?, _ isConnected: Bool) -> TopicSnapshot {
    .online(shown(record).map { OnlineSnapshot(user: $0, isConnected: isConnected) })
  }
}
