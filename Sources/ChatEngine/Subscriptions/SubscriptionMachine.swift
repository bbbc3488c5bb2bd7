package import ChatModel

/// One subscription as its connection sees it: pending, active, and then one of two ends, each told once (`docs/protocol.md`, Topics).
package struct SubscriptionMachine: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// Accepted; no snapshot came yet. Next: `active`, `ended`.
    case pending
    /// Snapshots are coming. Next: `ended`.
    case active
    /// Unsubscribed, or ended by an error. Terminal.
    case ended
  }

  /// What the connection does about an event.
  package enum Action: Hashable, Sendable {
    /// Show the snapshot to the client.
    case show
    /// Tell the client that the server ended it.
    case tellUnsubscribed(EndReason)
    /// Tell the client that it cannot go on.
    case tellError(ChatError)
    case nothing
  }

  /// Why the server ends a subscription unasked: a closed list.
  package enum EndReason: String, Hashable, Sendable, CaseIterable {
    /// The server has too much to do.
    case overloaded
  }

  /// What a snapshot that comes is recognised by.
  package let id: SubscriberID
  private var state: State

  /// Makes a pending subscription.
  package init(id: SubscriberID) {
    self.id = id
    state = .pending
  }

  /// The word for the state in a reply to `subscribe`; nil when it ended.
  package var name: String? {
    switch state {
    case .pending: "pending"
    case .active: "active"
    case .ended: nil
    }
  }

  /// Whether a page may be asked for.
  package var isActive: Bool { state == .active }

  /// A snapshot came for a subscriber of this topic.
  package mutating func snapshotCame(for subscriber: SubscriberID) -> Action {
    // What was on its way to an earlier subscription of the topic is not shown to its successor.
    guard subscriber == id else { return .nothing }
    switch state {
    case .pending, .active:
      state = .active
      return .show
    case .ended: return .nothing
    }
  }

  /// The client unsubscribed; the reply tells it.
  package mutating func unsubscribed() { state = .ended }

  /// The server ends it unasked.
  package mutating func end(because reason: EndReason) -> Action {
    switch state {
    case .pending, .active:
      state = .ended
      return .tellUnsubscribed(reason)
    case .ended: return .nothing
    }
  }

  /// It cannot go on.
  package mutating func fail(with error: ChatError) -> Action {
    switch state {
    case .pending, .active:
      state = .ended
      return .tellError(error)
    case .ended: return .nothing
    }
  }
}
