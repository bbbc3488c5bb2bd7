package import ChatModel

/// Decides what the subscribers of one user's `invitations` see.
///
/// Conversations tell of each change behind its commit; the list is then read again. It is short, and changes seldom.
package struct InvitationListMachine {
  private enum State: Hashable {
    /// What was read last holds. Next: `reading`.
    case ready
    /// The list is being read. Next: `ready`, `reading` when something changed meanwhile, `late` after a failure.
    case reading(isStale: Bool)
    /// The store failed. Next: `reading`, when the wish of `.wake` comes due.
    case late
  }

  package let user: UserID
  private var state: State = .ready
  /// What was read last; nil before the first answer.
  private var shown: [InvitationSnapshot]?
  /// The subscribers, with the hash of what they were shown last.
  private var subscribers: [SubscriberID: Int?] = [:]

  /// Makes the machine of a user whom nobody watches.
  package init(user: UserID) { self.user = user }

  /// Whether nobody watches: the machine is to be forgotten, and an answer that is still on its way with it.
  package var isIdle: Bool { subscribers.isEmpty }

  /// A connection of the user wants to see the list.
  package mutating func subscribed(_ subscriber: SubscriberID) -> [EngineAction] {
    subscribers[subscriber] = .some(nil)
    // What is known may be older than the subscription.
    return changed()
  }

  /// A connection no longer watches.
  package mutating func unsubscribed(_ subscriber: SubscriberID) -> [EngineAction] {
    subscribers[subscriber] = nil
    return []
  }

  /// An invitation came or went, or shows something else.
  package mutating func changed() -> [EngineAction] {
    switch state {
    case .ready: return read()
    case .reading:
      state = .reading(isStale: true)
      return []
    case .late: return []
    }
  }

  /// A user changed.
  package mutating func userChanged(_ changed: UserRecord) -> [EngineAction] {
    switch state {
    case .reading: state = .reading(isStale: true)
    case .ready, .late: break
    }
    guard state == .ready, shown?.contains(where: { $0.invitedBy.id == changed.id }) == true else { return [] }
    return read()
  }

  /// The store answered what `.read` asked.
  package mutating func answered(_ result: Result<[StoreAnswer], StoreError>, at moment: Moment) -> [EngineAction] {
    guard case .reading(let isStale) = state else { return [] }
    guard case .success(let answers) = result, case .invitations(let page)? = answers.first else {
      state = .late
      return [.wake(at: moment.tick &+ UserMachine.retryMs)]
    }
    state = .ready
    shown = SnapshotBuilder.invitations(page)
    return publish() + (isStale ? read() : [])
  }

  /// The wish of `.wake` came due.
  package mutating func timeReached() -> [EngineAction] { state == .late ? read() : [] }

  private mutating func read() -> [EngineAction] {
    state = .reading(isStale: false)
    return [.read([.invitations(user, limit: ChatSettings.maxShownInvitations)])]
  }

  private mutating func publish() -> [EngineAction] {
    guard let shown else { return [] }
    let hash = shown.hashValue
    let behind = subscribers.keys.filter { subscribers[$0] != .some(hash) }.sorted { $0.order < $1.order }
    for subscriber in behind { subscribers[subscriber] = .some(hash) }
    return behind.isEmpty ? [] : [.publish(.invitations, .invitations(shown), to: behind)]
  }
}
