import ChatModel

/// What a thread knows of its root and of those who take part in the root's conversation.
///
/// The store is asked, and asked again when the root's conversation says that something changed: no call is decided on what was known before.
struct ThreadFacts {
  /// The message under which the thread hangs.
  let root: ThreadRoot
  /// Nil before it was asked for; `.some(nil)` where there is no such conversation.
  private var load: RootLoad??
  private var places: [UserID: RootPlace] = [:]
  private var strangers: Set<UserID> = []

  /// Knows nothing yet.
  init(_ root: ThreadRoot) { self.root = root }

  /// Whether it is known if a user takes part in the root's conversation, and whether the root is there.
  func settles(_ user: UserID) -> Bool { load != nil && (places[user] != nil || strangers.contains(user)) }

  /// Whether it is known if the root is there.
  var isSettled: Bool { load != nil }

  /// Takes the store's answer to a question about some users.
  mutating func take(_ answer: RootLoad?, asked: [UserID]) {
    load = .some(answer)
    for user in asked {
      places[user] = nil
      strangers.insert(user)
    }
    for place in answer?.places ?? [] {
      places[place.user] = place
      strangers.remove(place.user)
    }
  }

  /// Forgets everything: it may be different now.
  mutating func forget() { self = ThreadFacts(root) }

  /// Forgets some users.
  mutating func forget(_ users: some Sequence<UserID>) {
    for user in users {
      places[user] = nil
      strangers.remove(user)
    }
  }

  /// Forgets what nothing needs at present: that there is no root, for it may come, and users of whom there are many.
  mutating func dropUnused(keeping isNeeded: (UserID) -> Bool) {
    if message == nil { load = nil }
    guard places.count + strangers.count > Self.crowd else { return }
    places = places.filter { isNeeded($0.key) }
    strangers = strangers.filter(isNeeded)
  }

  private static let crowd = 1_024

  // MARK: What follows from it

  /// The root, unless it is deleted or was never there.
  var message: MessageRecord? {
    guard let message = load??.message, !message.isDeleted else { return nil }
    return message
  }

  /// Where a user stands in the root's conversation, and so in the thread.
  func place(of user: UserID) -> RootPlace? { places[user] }

  /// The thread as it is before the first reply; nil where there can be none.
  func planned(_ id: ConversationID) -> ConversationRecord? {
    guard let load = load ?? nil, let message else { return nil }
    return ConversationRecord(id: id, type: load.type, pair: nil, createdAt: message.createdAt)
  }

  /// Why those who may read the root's conversation find no thread; nil where there is one.
  ///
  /// The sentence about deleted messages is PubNub's.
  var refusal: ChatError? {
    if message != nil { return nil }
    let isDeleted = load??.message != nil
    return ChatError(
      .notFound, isDeleted ? "You cannot create threads on deleted messages." : "There is no such message in this conversation",
      field: "message")
  }

  /// Whether the root's conversation is there.
  var hasConversation: Bool { load.flatMap { $0 } != nil }
}
