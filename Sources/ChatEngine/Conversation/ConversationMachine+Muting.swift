package import ChatModel

extension ConversationOperation {
  /// Whether the reply shows the conversation with its newest message and the count of unread ones.
  var showsConversation: Bool {
    switch self {
    case .createIfNotExists, .set, .deleteFields, .get, .markAsRead, .markAsUnread: true
    default: false
    }
  }
}

/// Viewers who muted others: they do not see their messages and typing, and are shown what is left.
extension ConversationMachine {
  /// A subscriber does not see these users from now on; a new snapshot follows where that changes something.
  package mutating func muted(_ users: Set<UserID>, for subscriber: SubscriberID, at moment: Moment) -> [EngineAction] {
    guard audience.mute(subscriber, users), audience.view(of: subscriber) != nil else { return [] }
    // As if it were made anew: the facts that the new view needs are asked for before.
    queue.append(.subscribe(subscriber, from: nil))
    return proceed(at: moment)
  }

  /// Those of the muted who have something to hide here; viewers with the same see the same.
  func hiding(_ muted: Set<UserID>) -> Set<UserID> {
    // In a thread somebody may type who has no place of their own there.
    muted.isEmpty || thread != nil ? muted : muted.filter { state.roster[$0] != nil || state.numbers.hasSender($0) }
  }

  /// Whom a subscriber does not see of a topic; participants are all shown.
  func hiding(for id: SubscriberID) -> Set<UserID> {
    guard let subscriber = audience[id], !subscriber.muted.isEmpty, subscriber.kind != .participants else { return [] }
    return place(of: subscriber.viewer) == nil ? [] : hiding(subscriber.muted)
  }

  /// Moves those who muted somebody to the groups that see the same, where somebody came or was found.
  mutating func regroupMuting() {
    for id in audience.muting {
      guard let view = audience.view(of: id) else { continue }
      audience.move(id, to: view, hiding: hiding(for: id))
    }
  }

  /// The newest message that is not of these users.
  mutating func lastMessage(hiding users: Set<UserID>) -> MessageSnapshot? {
    guard !users.isEmpty else { return state.window.items.indices.last.map { messageView(at: $0).snapshot } }
    guard let record = lastRecord(hiding: users) else { return nil }
    let index = state.window.firstIndex(from: record.number)
    let isListed = index < state.window.items.count && state.window.items[index].record.number == record.number
    return isListed ? messageView(at: index).snapshot : snapshot(of: record)
  }

  /// The same as it is kept.
  func lastRecord(hiding users: Set<UserID>) -> MessageRecord? {
    guard !users.isEmpty else { return state.lastMessage }
    return state.numbers.newest(1, hiding: users).first.flatMap { state.window.living($0) }
  }

  /// Whether a message of the window is not of these users.
  func isSeen(_ index: Int, hiding users: Set<UserID>) -> Bool {
    users.isEmpty || state.window.items[index].record.sender.map(users.contains) != true
  }

  /// Tells the lists that hide somebody, which look for themselves what is left to be shown.
  func touchLists(_ dirt: Dirt, _ output: inout Output, at moment: Moment) {
    guard !moment.mutingListUsers.isEmpty else { return }
    let concernsAll = dirt.everyViewer || dirt.messages
    for user in moment.mutingListUsers {
      let isConcerned = state.roster[user] == nil ? dirt.gone[user] != nil : concernsAll || dirt.viewers.contains(user)
      if isConcerned { output.lists.append(.touchList(user)) }
    }
  }
}
