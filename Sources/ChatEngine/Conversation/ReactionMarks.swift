import ChatModel

/// Who of the users that matter reacted with what to the messages in memory.
///
/// Everybody sees how many reacted, which stands in the messages. Only who looks on has to be told apart by whether they did themselves:
/// so a room costs what its viewers cost, however many reacted.
struct ReactionMarks {
  /// The messages in memory that have reactions.
  private var messages: Set<MessageNumber> = []
  /// Those of them of which the store was not asked yet what the tracked users did.
  private var unread: Set<MessageNumber> = []
  /// The users of whom everything is known on all messages but the unread ones.
  private var tracked: Set<UserID> = []
  /// What the tracked users reacted with; who did not is absent.
  private var own: [UserID: OwnReactions] = [:]
  /// The number of tracked users at which those are forgotten who do not matter any more.
  private var limit = Self.smallest

  private static let smallest = 1024

  /// Nothing has reactions.
  init() {}

  /// What a user reacted with; nothing where it is not known.
  subscript(user: UserID) -> OwnReactions { own[user] ?? OwnReactions() }

  /// Whether it is known what a user reacted with.
  func settles(_ user: UserID) -> Bool { messages.isEmpty || tracked.contains(user) && unread.isEmpty }

  /// Whether no message in memory has reactions.
  var isEmpty: Bool { messages.isEmpty }

  // MARK: The store

  /// A message came into memory.
  mutating func take(_ record: MessageRecord) {
    guard !record.reactions.isEmpty, messages.insert(record.number).inserted else { return }
    unread.insert(record.number)
  }

  /// The questions that are to be asked, where these users matter now and those may be shown something at any time.
  func missing(_ wanted: Set<UserID>, viewers: some Collection<UserID>, in id: ConversationID) -> [StoreQuery] {
    guard !messages.isEmpty else { return [] }
    // Where nothing is known of any message, nobody is tracked either.
    let isFirst = unread.count == messages.count
    var queries: [StoreQuery] = []
    var known = tracked
    if !unread.isEmpty {
      if isFirst { known.formUnion(viewers) }
      queries.append(.reactions(id, of: known.sorted(), on: unread.sorted()))
    }
    let others = wanted.subtracting(known)
    if !others.isEmpty { queries.append(.reactions(id, of: others.sorted(), on: messages.sorted())) }
    return queries
  }

  /// Takes the answer to a question; returns who reacted to something.
  mutating func take(_ reactions: [Reaction], of users: [UserID], on asked: [MessageNumber]) -> Set<UserID> {
    var marked: Set<UserID> = []
    // What left memory in the meantime is not asked for any more.
    for reaction in reactions where messages.contains(reaction.message) {
      own[reaction.user, default: OwnReactions()].insert(reaction.emoji, on: reaction.message)
      marked.insert(reaction.user)
    }
    if tracked.isSubset(of: users) { unread.subtract(asked) }
    if messages.subtracting(unread).isSubset(of: asked) { tracked.formUnion(users) }
    return marked
  }

  // MARK: Changes

  /// A user reacted to a message; the viewers are those who look on.
  mutating func insert(_ reaction: Reaction, viewers: some Sequence<UserID>) {
    // Nobody else did before, so that nothing has to be asked.
    if messages.isEmpty { tracked.formUnion(viewers) }
    messages.insert(reaction.message)
    tracked.insert(reaction.user)
    own[reaction.user, default: OwnReactions()].insert(reaction.emoji, on: reaction.message)
  }

  /// A user took a reaction back.
  mutating func remove(_ reaction: Reaction) {
    own[reaction.user]?.remove(reaction.emoji, from: reaction.message)
    if own[reaction.user]?.isEmpty == true { own[reaction.user] = nil }
  }

  /// Forgets the messages that are not in memory or have no reactions any more; returns whose reactions were among them.
  mutating func keep(_ hasReactions: (MessageNumber) -> Bool) -> Set<UserID> {
    let gone = messages.filter { !hasReactions($0) }
    guard !gone.isEmpty else { return [] }
    messages.subtract(gone)
    unread.subtract(gone)
    var changed: Set<UserID> = []
    for user in own.keys where own[user]?.forget(gone) == true { changed.insert(user) }
    for user in changed where own[user]?.isEmpty == true { own[user] = nil }
    return changed
  }

  /// Forgets the users who do not matter any more, once there are many.
  mutating func dropUnused(keeping matters: (UserID) -> Bool) {
    guard tracked.count > limit else { return }
    tracked = tracked.filter(matters)
    own = own.filter { tracked.contains($0.key) }
    // Doubled, so that they are not searched again at once where all matter.
    limit = max(Self.smallest, 2 * tracked.count)
  }
}
