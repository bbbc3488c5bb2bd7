/// Live subscriptions by the kind of their topic and by state.
package struct SubscriptionCounts: Sendable, Equatable {
  /// The states in which a subscription lives (docs/protocol.md, Topics).
  package enum State: Int, Sendable, CaseIterable {
    /// Its first snapshot is not there yet.
    case pending
    /// It gets events.
    case active

    /// The label in metrics.
    package var label: String {
      switch self {
      case .pending: "pending"
      case .active: "active"
      }
    }
  }

  /// The number of topic kinds.
  package let topicKinds: Int
  /// Two numbers for each kind, pending then active.
  private var counts: [Int64]

  /// No subscriptions yet.
  package init(topicKinds: Int) {
    self.topicKinds = max(0, topicKinds)
    counts = Array(repeating: 0, count: self.topicKinds * State.allCases.count)
  }

  /// A subscription entered one state, left one, or both; a kind that is not there is left out.
  package mutating func move(kind: Int, from old: State?, to new: State?) {
    guard (0..<topicKinds).contains(kind) else { return }
    if let old { counts[kind * State.allCases.count + old.rawValue] &-= 1 }
    if let new { counts[kind * State.allCases.count + new.rawValue] &+= 1 }
  }

  /// The subscriptions of a kind in a state; 0 for a kind that is not there.
  package func count(kind: Int, _ state: State) -> Int64 {
    (0..<topicKinds).contains(kind) ? counts[kind * State.allCases.count + state.rawValue] : 0
  }

  mutating func merge(_ other: SubscriptionCounts) {
    guard topicKinds == other.topicKinds else { return }
    for index in counts.indices { counts[index] &+= other.counts[index] }
  }
}
