import ChatEngine
import ChatModel

/// Reads messages of one conversation, which its key names.
struct MessageQueries {
  private let fields: StoredFields
  private let users: UserQueries
  private let threads: ThreadQueries
  private let single: Statement
  private let newest: Statement
  private let before: Statement
  private let after: Statement
  private let numbers: Statement
  private let countAfter: Statement
  private let sent: Statement
  let newestSenders: Statement

  init(_ database: Database, users: UserQueries, threads: ThreadQueries) throws(StoreError) {
    self.users = users
    self.threads = threads
    fields = database.fields
    let select = "SELECT \(MessageRow.columns) FROM messages WHERE conversation = ?1"
    single = try database.prepare("\(select) AND number = ?2")
    newest = try database.prepare("\(select) AND is_deleted = 0 ORDER BY number DESC LIMIT ?2")
    before = try database.prepare("\(select) AND is_deleted = 0 AND number < ?3 ORDER BY number DESC LIMIT ?2")
    after = try database.prepare("\(select) AND is_deleted = 0 AND number > ?3 ORDER BY number LIMIT ?2")
    numbers = try database.prepare(
      "SELECT number FROM messages WHERE conversation = ?1 AND is_deleted = 0 ORDER BY number DESC LIMIT ?2")
    countAfter = try database.prepare(
      "SELECT count(*) FROM (SELECT 1 FROM messages WHERE conversation = ?1 AND number > ?2 AND is_deleted = 0 LIMIT ?3)")
    newestSenders = try database.prepare(
      """
      SELECT number, sender, created_at FROM messages WHERE conversation = ?1 AND is_deleted = 0 AND number > ?2
      ORDER BY number DESC LIMIT ?3
      """)
    sent = try database.prepare(
      "SELECT number, request_hash FROM messages WHERE conversation = ?1 AND key_sender = ?2 AND client_message_id = ?3")
  }

  // MARK: Pages

  /// A page of messages without tombstones.
  func page(_ conversation: Int64, _ range: MessageRange, limit: Int) throws(StoreError) -> MessagePage {
    let limit = min(max(0, limit), Self.maxPage)
    // One more tells whether the page reaches the end.
    var messages = try select(conversation, range, limit: limit + 1)
    let reachedEnd = messages.count <= limit
    if !reachedEnd { messages.removeLast() }
    switch range {
    case .newest, .before: break
    case .after: messages.reverse()
    }
    try threads.fill(&messages, of: conversation)
    return try page(conversation, messages, reachedEnd: reachedEnd)
  }

  /// A page of one message, also a tombstone, or of none.
  func page(_ conversation: Int64, only number: MessageNumber) throws(StoreError) -> MessagePage {
    try page(conversation, try shown(conversation, number).map { [$0] } ?? [], reachedEnd: true)
  }

  /// Far above any page that is asked for.
  private static let maxPage = 10_000

  func select(_ conversation: Int64, _ range: MessageRange, limit: Int) throws(StoreError) -> [MessageRecord] {
    let (statement, bound): (Statement, MessageNumber?) =
      switch range {
      case .newest: (newest, nil)
      case .before(let number): (before, number)
      case .after(let number): (after, number)
      }
    return try statement.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(Int64(limit))
      if let bound { statement.bind(bound) }
      var messages: [MessageRecord] = []
      while try statement.step() { messages.append(try MessageRow.read(statement, fields)) }
      return messages
    }
  }

  func page(_ conversation: Int64, _ messages: [MessageRecord], reachedEnd: Bool) throws(StoreError) -> MessagePage {
    var quoted: [MessageRecord] = []
    for number in Set(messages.compactMap(\.referenced)).sorted(by: >) {
      if let message = try message(conversation, number) { quoted.append(message) }
    }
    let people = (messages + quoted).flatMap(\.people)
    return MessagePage(messages: messages, quoted: quoted, users: try users.users(people), reachedEnd: reachedEnd)
  }

  // MARK: Single facts

  /// One message, also a tombstone, with what it shows of its thread.
  func shown(_ conversation: Int64, _ number: MessageNumber) throws(StoreError) -> MessageRecord? {
    var found = try message(conversation, number).map { [$0] } ?? []
    try threads.fill(&found, of: conversation)
    return found.first
  }

  /// One message, also a tombstone, as it is in itself.
  func message(_ conversation: Int64, _ number: MessageNumber) throws(StoreError) -> MessageRecord? {
    try single.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      return try statement.step() ? try MessageRow.read(statement, fields) : nil
    }
  }

  /// The numbers of the newest messages without tombstones, newest first.
  func newestNumbers(_ conversation: Int64, limit: Int) throws(StoreError) -> [MessageNumber] {
    try numbers.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(Int64(limit))
      var numbers: [MessageNumber] = []
      while try statement.step() { numbers.append(statement.integer()) }
      return numbers
    }
  }

  /// How many messages without tombstones come after a number; counts no further than `ChatSettings.maxUnread`.
  func count(_ conversation: Int64, after number: MessageNumber) throws(StoreError) -> Int {
    try countAfter.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      statement.bind(Int64(ChatSettings.maxUnread))
      return try statement.step() ? Int(statement.integer()) : 0
    }
  }

  /// What a send key led to.
  func sent(_ conversation: Int64, by sender: UserID, clientMessageId: String) throws(StoreError) -> SentMessage? {
    try sent.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(sender.text)
      statement.bind(clientMessageId)
      return try statement.step() ? SentMessage(number: statement.integer(), requestHash: statement.integer()) : nil
    }
  }
}
