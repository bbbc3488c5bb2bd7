import ChatEngine
import ChatModel

/// Writes rows of conversations, and knows where those in use are.
struct ConversationChanges {
  /// What the writer keeps in memory of a conversation's row.
  struct Place {
    let key: Int64
    /// The key of the conversation under one of whose messages a thread hangs; nil for other conversations.
    var root: Int64?
    /// The newest message that is no tombstone.
    var newest: Newest?
  }

  /// A message as the order of lists needs it.
  struct Newest {
    let number: MessageNumber
    let createdAt: Timestamp
  }

  private let fields: StoredFields
  private let find: Statement
  private let insert: Statement
  private let update: Statement
  private let updateNewest: Statement
  private let deletions: [Statement]
  private let threads: ThreadChanges
  private let database: Database
  private var places: [ConversationID: Place] = [:]
  /// Those whose newest message is not in their row yet: the row is mostly written in the same set anyway.
  private var unsaved: Set<ConversationID> = []

  init(_ database: Database) throws(StoreError) {
    self.database = database
    fields = database.fields
    find = try database.prepare("SELECT key, root, last_number, last_created_at FROM conversations WHERE id = ?1")
    insert = try database.prepare(
      """
      INSERT INTO conversations (type, pair_first, pair_second, subject, photo_url, welcome_messages, custom, created_at, revision,
        clock, pinned, reply_count, last_number, last_created_at, id, root, root_number)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """)
    // Without the id: setting an indexed column would write its index too.
    update = try database.prepare(
      """
      UPDATE conversations SET type = ?1, pair_first = ?2, pair_second = ?3, subject = ?4, photo_url = ?5, welcome_messages = ?6,
        custom = ?7, created_at = ?8, revision = ?9, clock = ?10, pinned = ?11, reply_count = ?12, last_number = ?13,
        last_created_at = ?14 WHERE key = ?15
      """)
    updateNewest = try database.prepare("UPDATE conversations SET last_number = ?1, last_created_at = ?2 WHERE key = ?3")
    threads = try ThreadChanges(database)
    deletions = [
      try database.prepare("DELETE FROM conversations WHERE key = ?1"),
      try database.prepare("DELETE FROM participants WHERE conversation = ?1"),
      try database.prepare("DELETE FROM removed_participants WHERE conversation = ?1"),
      try database.prepare("DELETE FROM restrictions WHERE conversation = ?1"),
      try database.prepare("DELETE FROM reports WHERE conversation = ?1"),
      try database.prepare("DELETE FROM invitations WHERE conversation = ?1"),
      try database.prepare("INSERT INTO orphans (conversation) VALUES (?1)"),
    ]
  }

  /// The most places in memory: about a megabyte.
  private static let maxPlaces = 8_192

  // MARK: Places

  /// Where a conversation is; nil where there is none.
  mutating func place(of id: ConversationID) throws(StoreError) -> Place? {
    if let place = places[id] { return place }
    let found = try find.use { (statement) throws(StoreError) -> Place? in
      statement.bind(id.text)
      guard try statement.step() else { return nil }
      var place = Place(key: statement.integer(), root: statement.optionalInteger())
      if let number = statement.optionalInteger(), let createdAt = statement.optionalInteger() {
        place.newest = Newest(number: number, createdAt: createdAt)
      }
      return place
    }
    if let found { try remember(found, of: id) }
    return found
  }

  /// Where a conversation is that a change needs.
  mutating func existingPlace(of id: ConversationID) throws(StoreError) -> Place {
    guard let place = try place(of: id) else { throw .missing("conversation") }
    return place
  }

  private mutating func remember(_ place: Place, of id: ConversationID) throws(StoreError) {
    if places.count >= Self.maxPlaces, places[id] == nil {
      try saveNewest()
      places.removeAll(keepingCapacity: true)
    }
    places[id] = place
  }

  /// Takes a new newest message, which `saveNewest` or the next `put` writes.
  mutating func setNewest(_ newest: Newest?, of id: ConversationID, at place: Place) throws(StoreError) {
    var place = place
    place.newest = newest
    try remember(place, of: id)
    unsaved.insert(id)
  }

  /// Writes what no `put` of the set has written.
  mutating func saveNewest() throws(StoreError) {
    for id in unsaved {
      guard let place = places[id] else { continue }
      try updateNewest.run { statement in
        statement.bind(place.newest?.number)
        statement.bind(place.newest?.createdAt)
        statement.bind(place.key)
      }
    }
    unsaved.removeAll(keepingCapacity: true)
  }

  /// Forgets everything, because a transaction was undone.
  mutating func forget() {
    places.removeAll(keepingCapacity: true)
    unsaved.removeAll(keepingCapacity: true)
  }

  // MARK: Changes

  /// Inserts or replaces the row.
  mutating func put(_ record: ConversationRecord) throws(StoreError) {
    let place = try place(of: record.id)
    let root = place == nil ? try root(of: record.id) : nil
    try (place == nil ? insert : update).run { statement in
      ConversationRow.bind(record, to: statement, fields)
      statement.bind(place?.newest?.number)
      statement.bind(place?.newest?.createdAt)
      if let place { return statement.bind(place.key) }
      statement.bind(record.id.text)
      statement.bind(root?.key)
      statement.bind(root?.number)
    }
    if place == nil { try remember(Place(key: database.insertedKey, root: root?.key), of: record.id) }
    unsaved.remove(record.id)
  }

  /// The message under which a new thread hangs; nil for another conversation.
  private mutating func root(of id: ConversationID) throws(StoreError) -> (key: Int64, number: MessageNumber)? {
    guard let root = ThreadRoot(of: id) else { return nil }
    let key = try existingPlace(of: root.conversation).key
    guard try threads.isLiving(root.message.number, in: key) else { throw .missing("message") }
    return (key, root.message.number)
  }

  /// Removes the thread under a message; does nothing where there is none.
  mutating func deleteThread(under number: MessageNumber, of place: Place) throws(StoreError) {
    guard place.root == nil, let id = try threads.thread(under: number, of: place.key) else { return }
    try delete(id)
  }

  /// Removes the row, its threads and all participants; the messages are left to `Upkeep`.
  ///
  /// Does nothing where there is no conversation.
  mutating func delete(_ id: ConversationID) throws(StoreError) {
    guard let place = try place(of: id) else { return }
    if place.root == nil {
      try threads.deleteAll(of: place.key)
      for (id, other) in places where other.root == place.key { forget(id) }
    }
    for statement in deletions { try statement.run { $0.bind(place.key) } }
    forget(id)
  }

  private mutating func forget(_ id: ConversationID) {
    places[id] = nil
    unsaved.remove(id)
  }
}
