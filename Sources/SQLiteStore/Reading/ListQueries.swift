import ChatEngine
import ChatModel

/// Reads a user's list of conversations.
struct ListQueries {
  private let conversations: ConversationQueries
  private let messages: MessageQueries
  private let reactions: ReactionQueries
  private let users: UserQueries
  private let list: Statement
  private let facts: Statement
  private let unread: Statement
  private let fields: StoredFields
  private let places: Statement

  init(
    _ database: Database, conversations: ConversationQueries, messages: MessageQueries, reactions: ReactionQueries, users: UserQueries
  ) throws(StoreError) {
    self.conversations = conversations
    self.messages = messages
    self.reactions = reactions
    self.users = users
    fields = database.fields
    // Ordering looks at an index and the first bytes of each conversation's row; all else is read for the page only.
    list = try database.prepare(
      """
      SELECT c.key, max(p.joined_at, ifnull(c.last_created_at, p.joined_at)) AS activity
      FROM participants p INDEXED BY participants_by_user CROSS JOIN conversations c ON c.key = p.conversation
      WHERE p.user = ?1 AND (activity < ?2 OR activity = ?2 AND c.id > ?3) ORDER BY activity DESC, c.id LIMIT ?4
      """)
    places = try database.prepare(
      """
      SELECT c.key, c.id, p.joined_at FROM participants p INDEXED BY participants_by_user CROSS JOIN conversations c ON c.key = p.conversation
      WHERE p.user = ?1
      """)
    // Custom fields come last: they are read only where a filter asks for them.
    facts = try database.prepare(
      """
      SELECT p.access, p.is_marked_unread, p.read_marker, c.last_number, c.last_created_at, c.created_at, c.subject, c.custom
      FROM conversations c CROSS JOIN participants p ON p.conversation = c.key AND p.user = ?2 WHERE c.key = ?1
      """)
    unread = try database.prepare(
      """
      SELECT c.id FROM participants p CROSS JOIN conversations c ON c.key = p.conversation
      WHERE p.user = ?1 AND (p.is_marked_unread <> 0 OR c.last_number > p.read_marker) ORDER BY c.id
      """)
  }

  private static let maxPage = 1_000

  /// A page of the list, last active first.
  ///
  /// - Parameter users: Those whose messages count as not there.
  func page(
    _ user: UserID, after cursor: ListCursor?, limit: Int, hiding users: Set<UserID> = [], _ filter: ConversationFilter?
  ) throws(StoreError) -> ListPage {
    let limit = min(max(0, limit), Self.maxPage)
    // One more tells whether the page reaches the end.
    let keys =
      users.isEmpty
      ? try keys(user, after: cursor, limit: limit + 1, filter)
      : try visibleKeys(user, after: cursor, limit: limit + 1, hiding: users, filter)
    var entries: [ListPage.Entry] = []
    for key in keys.prefix(limit) {
      if let entry = try entry(key, user, hiding: users) { entries.append(entry) }
    }
    let people = entries.flatMap { $0.shown.flatMap(\.people) }
    let next = keys.count > limit ? try conversations.id(of: keys[limit]) : nil
    return ListPage(entries: entries, users: try self.users.users(people), next: next)
  }

  /// The conversations in which a user has unread messages or a mark, ordered by their ids.
  func unread(_ user: UserID) throws(StoreError) -> [ConversationID] {
    try unread.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      var ids: [ConversationID] = []
      while try statement.step() { ids.append(ConversationID(stored: statement.text())) }
      return ids
    }
  }

  /// The first keys of the list.
  ///
  /// With a filter all of the user's conversations are put in order, and looked at from the top until enough were found.
  private func keys(
    _ user: UserID, after cursor: ListCursor?, limit: Int, _ filter: ConversationFilter?
  ) throws(StoreError) -> [Int64] {
    try list.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      statement.bind(cursor?.activity ?? .max)
      // No id lies before the empty text.
      statement.bind(cursor?.conversation.text ?? "")
      statement.bind(filter == nil ? Int64(limit) : Self.unlimited)
      var keys: [Int64] = []
      while keys.count < limit, try statement.step() {
        let key = statement.integer()
        if try passes(key, user, filter) { keys.append(key) }
      }
      return keys
    }
  }

  /// What SQLite takes for no limit.
  private static let unlimited: Int64 = -1

  /// The order of a list that hides somebody: each conversation is looked at, because no index knows what is left of it.
  private func visibleKeys(
    _ user: UserID, after cursor: ListCursor?, limit: Int, hiding users: Set<UserID>, _ filter: ConversationFilter?
  ) throws(StoreError) -> [Int64] {
    var found: [(key: Int64, cursor: ListCursor, newest: Newest?)] = []
    for place in try places(of: user) {
      let newest = try messages.newest(place.key, hiding: users)
      let here = ListCursor(activity: max(place.joinedAt, newest?.createdAt ?? place.joinedAt), conversation: place.id)
      if cursor.map({ $0.comes(before: here) }) ?? true { found.append((place.key, here, newest)) }
    }
    var keys: [Int64] = []
    for place in found.sorted(by: { $0.cursor.comes(before: $1.cursor) }) where keys.count < limit {
      if try passes(place.key, user, filter, visible: .some(place.newest)) { keys.append(place.key) }
    }
    return keys
  }

  private typealias Newest = (number: MessageNumber, createdAt: Timestamp)

  /// Whether a filter lets a conversation pass.
  ///
  /// - Parameter visible: The newest message that is not hidden; by default the newest.
  private func passes(
    _ key: Int64, _ user: UserID, _ filter: ConversationFilter?, visible: Newest?? = nil
  ) throws(StoreError) -> Bool {
    guard let filter else { return true }
    return try facts.use { (statement) throws(StoreError) in
      statement.bind(key)
      statement.bind(user.text)
      guard try statement.step() else { return false }
      let access = try Access(from: statement)
      let (isMarked, marker) = (statement.flag(), statement.integer())
      let (number, time) = (statement.optionalInteger(), statement.optionalInteger())
      let (createdAt, subject) = (statement.integer(), statement.optionalText())
      let (newest, lastMessageAt) = visible.map { ($0?.number, $0?.createdAt) } ?? (number, time)
      let custom = filter.readsCustom ? try fields.custom(from: statement) : CustomFields()
      return filter.matches(
        ConversationFilter.Facts(
          access: access, subject: subject, custom: custom, createdAt: createdAt, lastMessageAt: lastMessageAt,
          isUnread: isMarked || newest.map { $0 > marker } ?? false))
    }
  }

  private func places(of user: UserID) throws(StoreError) -> [(key: Int64, id: ConversationID, joinedAt: Timestamp)] {
    try places.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      var found: [(key: Int64, id: ConversationID, joinedAt: Timestamp)] = []
      while try statement.step() {
        found.append((statement.integer(), ConversationID(stored: statement.text()), statement.integer()))
      }
      return found
    }
  }

  private func entry(_ key: Int64, _ user: UserID, hiding users: Set<UserID>) throws(StoreError) -> ListPage.Entry? {
    guard let (record, newest) = try conversations.conversation(key) else { return nil }
    guard let viewer = try conversations.participant(key, user) else { return nil }
    let seen = users.isEmpty ? newest : try messages.newest(key, hiding: users)?.number
    let lastMessage = try message(key, seen, showsThread: true)
    let quoted = try message(key, lastMessage?.referenced)
    let pinned = try message(key, record.pinned, showsThread: true)
    let pinnedQuoted = try message(key, pinned?.referenced)
    let shown = [lastMessage, quoted, pinned, pinnedQuoted].compactMap(\.self)
    return ListPage.Entry(
      record: record, viewer: viewer, lastMessage: lastMessage, quoted: quoted,
      unread: users.isEmpty
        ? try messages.count(key, after: viewer.readMarker)
        : try messages.count(key, after: viewer.readMarker, hiding: users),
      lowestReadUntil: try conversations.lowestReadUntil(key) ?? viewer.readUntil, pinned: pinned, pinnedQuoted: pinnedQuoted,
      own: try reactions.own(key, of: user, on: shown))
  }

  private func message(_ key: Int64, _ number: MessageNumber?, showsThread: Bool = false) throws(StoreError) -> MessageRecord? {
    guard let number else { return nil }
    return showsThread ? try messages.shown(key, number) : try messages.message(key, number)
  }
}
