import ChatEngine
import ChatModel

/// Names a list of conversations: a user's, without the messages of some users, of those that a filter lets pass.
///
/// Sessions of one user that hide the same and have the same filter share a list.
struct ListName: Hashable, Sendable {
  let user: UserID
  var muted: Set<UserID> = []
  /// Nil for the list of all conversations.
  var filter: ConversationFilter?

  /// Whether the store finds its entries only by a look at all of the user's conversations.
  var isWalked: Bool { filter != nil || !muted.isEmpty }
}

/// Which kinds of list of a user are live.
struct ListWatch: Hashable, Sendable {
  /// One that hides nobody.
  let isWhole: Bool
  /// One that hides somebody.
  let isHiding: Bool
}

/// The live lists of one shard: whose they are, and who watches which.
struct ListNames {
  private var names: [UserID: Set<ListName>] = [:]
  private var bySubscriber: [SubscriberID: ListName] = [:]

  /// The lists of a user that hide somebody, or those that do not.
  func lists(of user: UserID, hiding isHiding: Bool) -> [ListName] {
    (names[user] ?? []).filter { $0.muted.isEmpty != isHiding }
  }

  /// Which kinds of list of a user are live.
  func watch(of user: UserID) -> ListWatch {
    let all = names[user] ?? []
    return ListWatch(isWhole: all.contains { $0.muted.isEmpty }, isHiding: all.contains { !$0.muted.isEmpty })
  }

  /// A list was made.
  mutating func add(_ name: ListName) { names[name.user, default: []].insert(name) }

  /// A list is forgotten.
  mutating func remove(_ name: ListName) {
    names[name.user]?.remove(name)
    if names[name.user]?.isEmpty == true { names[name.user] = nil }
  }

  /// Somebody watches a list.
  mutating func subscribe(_ subscriber: SubscriberID, to name: ListName) { bySubscriber[subscriber] = name }

  /// The list that a subscriber watches.
  subscript(subscriber: SubscriberID) -> ListName? { bySubscriber[subscriber] }

  /// Somebody watches no more; returns the list.
  mutating func unsubscribe(_ subscriber: SubscriberID) -> ListName? { bySubscriber.removeValue(forKey: subscriber) }
}
