import ChatEngine
import ChatModel

/// Reads conversations and their participants.
struct ConversationQueries {
  private let fields: StoredFields
  private let key: Statement
  private let byKey: Statement
  private let participants: Statement
  private let participant: Statement
  private let lowestReadUntil: Statement
  private let together: Statement

  init(_ database: Database) throws(StoreError) {
    fields = database.fields
    key = try database.prepare("SELECT key FROM conversations WHERE id = ?1")
    byKey = try database.prepare("SELECT \(ConversationRow.columns), last_number FROM conversations WHERE key = ?1")
    let select = "SELECT \(ParticipantRow.columns) FROM participants WHERE conversation = ?1"
    participants = try database.prepare("\(select) ORDER BY user")
    participant = try database.prepare("\(select) AND user = ?2")
    lowestReadUntil = try database.prepare("SELECT min(read_until) FROM participants WHERE conversation = ?1")
    // A lookup for each conversation of the first user, by the primary key.
    together = try database.prepare(
      """
      SELECT 1 FROM participants a CROSS JOIN participants b ON b.conversation = a.conversation AND b.user = ?2
      WHERE a.user = ?1 LIMIT 1
      """)
  }

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
  func areTogether(_ one: UserID, _ other: UserID) throws(StoreError) -> Bool {
    try together.use { (statement) throws(StoreError) in
      statement.bind(one.text)
      statement.bind(other.text)
      return try statement.step()
    }
  }
}
