import ChatModel

/// Windows: where they begin and how they grow.
extension ConversationMachine {
  /// The measures of a topic's window; nil for topics without one.
  func window(of kind: TopicKind) -> ChatSettings.Window? {
    switch kind {
    case .messages: settings.messages
    case .participants: settings.participants
    case .conversation, .typing, .conversations, .invitations, .user, .online: nil
    }
  }

  /// The floor of a subscriber's first window: the newest items, or those from one item on.
  func firstFloor(_ kind: TopicKind, from: WindowStart?, hiding users: Set<UserID> = []) -> Int64 {
    let initial = window(of: kind)?.initial ?? 0
    switch (kind, from) {
    // A number that the conversation has not reached is no message of it: as a floor it would hide all that come.
    case (.messages, .message(let message)) where message.number > 0 && message.number <= state.record?.revision ?? 0:
      return max(lowered(message.number, hiding: users), state.numbers.floor(ofNewest: settings.maxWindowItems))
    case (.participants, .participant(let user)):
      guard let place = state.roster[user] else { return state.roster.floor(ofNewest: initial) }
      return max(place.joinedRevision, state.roster.floor(ofNewest: settings.maxWindowItems))
    case (.participants, _):
      return state.roster.floor(ofNewest: initial)
    default:
      return state.numbers.floor(ofNewest: initial, hiding: users)
    }
  }

  /// The floor after a window has grown by so many items, at most to the bound of all windows.
  func grownFloor(_ kind: TopicKind, from floor: Int64, by count: Int, hiding users: Set<UserID> = []) -> Int64 {
    let shown = kind == .messages ? state.numbers.count(from: floor, hiding: users) : state.roster.count(from: floor)
    let wanted = min(shown + count, settings.maxWindowItems)
    return kind == .messages ? state.numbers.floor(ofNewest: wanted, hiding: users) : state.roster.floor(ofNewest: wanted)
  }

  /// Decides whether a window grows.
  mutating func decideGrowth(of id: SubscriberID, by count: Int, _ output: inout Output) {
    guard let kind = audience[id]?.kind, audience.growing[id] != nil else { return }
    let result: Result<ChatReply, ChatError>
    if let floor = floor(of: id), hasOlder(kind, than: floor) {
      let older = grownFloor(kind, from: floor, by: count, hiding: hiding(for: id))
      if older < floor {
        batch.growths.append(Batch.Growth(subscriber: id, floor: older))
        return
      }
      result = .failure(Self.windowFull)
    } else {
      result = .success(.loadedAll(true))
    }
    for call in audience.grown(id) {
      if batch.isChanged { batch.held.append(.reply(call, result)) } else { output.replies.append(.reply(call, result)) }
    }
  }

  /// Lowers the floor of a window; returns why it cannot grow.
  mutating func grow(_ growth: Batch.Growth) -> ChatError? {
    guard let subscriber = audience[growth.subscriber], let old = floor(of: growth.subscriber) else { return nil }
    let kind = subscriber.kind
    let floor = max(growth.floor, bound(of: kind, from: growth.floor))
    guard floor < old else { return Self.windowFull }
    audience.move(growth.subscriber, to: .floor(floor, own(of: subscriber.viewer, in: kind)), hiding: hiding(for: growth.subscriber))
    return nil
  }

  /// Whether nothing lies below what a subscriber sees.
  func isLoaded(_ id: SubscriberID) -> Bool {
    guard let kind = audience[id]?.kind, let floor = floor(of: id) else { return true }
    return !hasOlder(kind, than: floor)
  }

  /// Shows a subscriber the first snapshot.
  mutating func activate(_ id: SubscriberID, from: WindowStart?) {
    guard let subscriber = audience[id] else { return }
    let hiding = hiding(for: id)
    var view = view(of: subscriber.kind, for: subscriber.viewer, from: from, hiding: hiding)
    // A window that is open stays as far open as it is, at least.
    if let old = floor(of: id), case .floor(let new, let own) = view { view = .floor(min(old, new), own) }
    audience.move(id, to: view, hiding: hiding)
  }

  /// What a viewer sees of a topic, where it is seen for the first time.
  func view(of kind: TopicKind, for viewer: UserID, from: WindowStart? = nil, hiding users: Set<UserID> = []) -> Audience.View {
    guard place(of: viewer) != nil else { return .none }
    switch kind {
    case .messages:
      let floor = firstFloor(kind, from: from, hiding: users)
      // Deletions decided since the facts were gathered may have lowered it below what is in memory.
      let covered = state.missingPage(from: floor) == nil ? floor : state.window.coveredFrom
      return .floor(covered, own(of: viewer, in: kind))
    case .participants: return .floor(firstFloor(kind, from: from))
    case .typing: return typing.contains(viewer) ? .viewer(viewer) : .shared
    case .conversation, .conversations, .invitations, .user, .online: return .viewer(viewer)
    }
  }

  /// What tells a viewer's windows apart from those of others.
  private func own(of viewer: UserID, in kind: TopicKind) -> OwnReactions { kind == .messages ? state.marks[viewer] : OwnReactions() }

  /// Moves the subscriptions of a viewer who came, went, reacted, began or ceased to type to the groups that see the same.
  mutating func regroup(_ viewer: UserID) {
    for id in audience.active(of: viewer) {
      guard let kind = audience[id]?.kind else { continue }
      // A window that is open stays as far open as it is.
      let hiding = hiding(for: id)
      if let floor = floor(of: id), place(of: viewer) != nil {
        audience.move(id, to: .floor(floor, own(of: viewer, in: kind)), hiding: hiding)
      } else {
        audience.move(id, to: view(of: kind, for: viewer, hiding: hiding), hiding: hiding)
      }
    }
  }

  /// The lowest floor that windows of a topic may have, by the number of items and by their bytes.
  mutating func bound(of kind: TopicKind, from floor: Int64) -> Int64 {
    var count = 0
    var bytes = 0
    var lowest: Int64 = 0
    func takes(_ size: Int) -> Bool {
      count += 1
      bytes += size
      // One item is shown, however long.
      return count == 1 || (count <= settings.maxWindowItems && bytes <= ChatSettings.maxPageBytes)
    }
    if kind == .messages {
      for index in (state.window.firstIndex(from: floor)..<state.window.items.count).reversed() {
        guard takes(messageBytes(at: index)) else { return lowest }
        lowest = state.window.items[index].record.number
      }
    } else {
      for record in state.roster.newestFirst(from: floor) {
        guard takes(SnapshotBuilder.byteCount(users[record.user])) else { return lowest }
        lowest = record.joinedRevision
      }
    }
    return 0
  }

  private func floor(of id: SubscriberID) -> Int64? { audience.view(of: id)?.floor }

  private func hasOlder(_ kind: TopicKind, than floor: Int64) -> Bool {
    kind == .messages ? state.numbers.hasOlder(than: floor) : state.roster.hasOlder(than: floor)
  }

  /// A floor below which nothing lies, or nothing but what is hidden, is the same as none.
  private func lowered(_ floor: MessageNumber, hiding users: Set<UserID>) -> MessageNumber {
    guard state.numbers.hasOlder(than: floor) else { return 0 }
    guard !users.isEmpty else { return floor }
    let next = state.numbers.floor(ofNewest: state.numbers.count(from: floor, hiding: users) + 1, hiding: users)
    return next == 0 ? 0 : floor
  }

  private static let windowFull = ChatError(.limitExceeded, "The list shows as many items as it may", field: "count")
}
