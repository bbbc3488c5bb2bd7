import ChatEngine
import ChatModel

/// Reads conversations and their participants.
struct ConversationQueries {
  private let fields: StoredFields
  private let key: Statement
  private let id: Statement
  private let byKey: Statement
  private let participants: Statement
  private let formerReaders: Statement
  private let participant: Statement
  private let lowestReadUntil: Statement
  private let nextOfUser: Statement

  init(_ database: Database) throws(StoreError) {
    fields = database.fields
    key = try database.prepare("SELECT key FROM conversations WHERE id = ?1")
    id = try database.prepare("SELECT id FROM conversations WHERE key = ?1")
    byKey = try database.prepare("SELECT \(ConversationRow.columns), last_number FROM conversations WHERE key = ?1")
    // The access in a thread is that in its root's conversation.
    let columns = ParticipantRow.columns.replacing("access", with: "ifnull((\(Self.accessOfRoot)), access)")
    let select = "SELECT \(columns) FROM participants AS place WHERE conversation = ?1"
    participants = try database.prepare("\(select) ORDER BY user")
    // The number of `Access.read` stands in it, because the index holds no other.
    formerReaders = try database.prepare("SELECT user FROM removed_participants WHERE conversation = ?1 AND access = 1")
    participant = try database.prepare("\(select) AND user = ?2")
    lowestReadUntil = try database.prepare("SELECT min(read_until) FROM participants WHERE conversation = ?1")
    // One seek in `participants_by_user`.
    nextOfUser = try database.prepare(
      "SELECT conversation FROM participants WHERE user = ?1 AND conversation >= ?2 ORDER BY conversation LIMIT 1")
  }

  private static let accessOfRoot =
    "SELECT access FROM participants AS other WHERE other.conversation = place.root AND other.user = place.user"

  /// The key of a conversation; nil where there is none.
  func key(of id: ConversationID) throws(StoreError) -> Int64? {
    try key.use { (statement) throws(StoreError) in
      statement.bind(id.text)
      return try statement.step() ? statement.integer() : nil
    }
  }

  /// A conversation, and the number of its newest message that is no tombstone.
  func conversation(_ key: Int64) throws(StoreError) -> (record: ConversationRecord, newest: MessageNumber?)? {
    try byKey.use { (statement) throws(StoreError) in
      statement.bind(key)
      guard try statement.step() else { return nil }
      return (try ConversationRow.read(statement, fields), statement.optionalInteger())
    }
  }

  /// All participants, ordered by their ids.
  func participants(_ conversation: Int64) throws(StoreError) -> [ParticipantRecord] {
    try participants.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      var records: [ParticipantRecord] = []
      while try statement.step() { records.append(try ParticipantRow.read(statement)) }
      return records
    }
  }

  /// Those who had a place in which they might only read, and have none now.
  func formerReaders(_ conversation: Int64) throws(StoreError) -> Set<UserID> {
    try formerReaders.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      var users: Set<UserID> = []
      while try statement.step() { users.insert(UserID(stored: statement.text())) }
      return users
    }
  }

  /// One participant; nil where the user is none.
  func participant(_ conversation: Int64, _ user: UserID) throws(StoreError) -> ParticipantRecord? {
    try participant.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(user.text)
      return try statement.step() ? try ParticipantRow.read(statement) : nil
    }
  }

  /// The lowest `readUntil` of all participants; nil where there are none.
  func lowestReadUntil(_ conversation: Int64) throws(StoreError) -> Timestamp? {
    try lowestReadUntil.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      return try statement.step() ? statement.optionalInteger() : nil
    }
  }

  /// Whether two users share a conversation.
  ///
  /// Each in turn skips to where the other stands, so that it is the one with fewer conversations who bounds the seeks: at most two
  /// for each of theirs. A guest makes thousands of them in seconds.
  func areTogether(_ one: UserID, _ other: UserID) throws(StoreError) -> Bool {
    try shared(one, other, from: 0) != nil
  }

  /// The conversations that two users share, the oldest first; all of a user's where both are the same.
  func shared(_ one: UserID, _ other: UserID, limit: Int) throws(StoreError) -> [ConversationID] {
    var ids: [ConversationID] = []
    var place: Int64 = 0
    while ids.count < limit, let key = try shared(one, other, from: place) {
      if let id = try id(of: key) { ids.append(id) }
      place = key + 1
    }
    return ids
  }

  /// The first conversation that two users share, from a key on.
  private func shared(_ one: UserID, _ other: UserID, from key: Int64) throws(StoreError) -> Int64? {
    guard one != other else { return try next(of: one, from: key) }
    var (ahead, behind) = (one, other)
    guard var place = try next(of: ahead, from: key) else { return nil }
    while let found = try next(of: behind, from: place) {
      if found == place { return found }
      place = found
      swap(&ahead, &behind)
    }
    return nil
  }

  /// The id of a conversation; nil where there is none.
  func id(of key: Int64) throws(StoreError) -> ConversationID? {
    try id.use { (statement) throws(StoreError) in
      statement.bind(key)
      return try statement.step() ? ConversationID(stored: statement.text()) : nil
    }
  }

  /// The first conversation of a user whose key is not below one; nil where there is none.
  private func next(of user: UserID, from key: Int64) throws(StoreError) -> Int64? {
    try nextOfUser.use { (statement) throws(StoreError) in
      statement.bind(user.text)
      statement.bind(key)
      return try statement.step() ? statement.integer() : nil
    }
  }
}
