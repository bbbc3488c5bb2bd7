import ChatEngine
import ChatModel

// What is left where the messages of some users are not seen.
extension MessageQueries {
  /// Of how many messages at most it is looked whether they are seen, for one page.
  static let maxLooked = 5_000

  /// A page of messages without tombstones and without those of some users.
  func page(_ conversation: Int64, _ range: MessageRange, limit: Int, hiding users: Set<UserID>) throws(StoreError) -> MessagePage {
    var (kept, range, looked) = ([MessageRecord](), range, 0)
    var reachedEnd = false
    while kept.count <= limit, !reachedEnd, looked < Self.maxLooked {
      let rows = try select(conversation, range, limit: limit + 1)
      kept += rows.filter { $0.sender.map(users.contains) != true }
      looked += rows.count
      reachedEnd = rows.count <= limit
      if let last = rows.last?.number { range = range.continued(from: last) }
    }
    if kept.count > limit { reachedEnd = false }
    kept.removeLast(max(0, kept.count - limit))
    if case .after = range { kept.reverse() }
    return try page(conversation, kept, reachedEnd: reachedEnd)
  }

  /// Who sent the newest messages.
  func senders(_ conversation: Int64) throws(StoreError) -> [MessageNumber: UserID] {
    var senders: [MessageNumber: UserID] = [:]
    try look(conversation, after: 0) { number, sender, _ in
      senders[number] = sender
      return true
    }
    return senders
  }

  /// The newest message that is not of some users: its number and time.
  func newest(_ conversation: Int64, hiding users: Set<UserID>) throws(StoreError) -> (number: MessageNumber, createdAt: Timestamp)? {
    var newest: (MessageNumber, Timestamp)?
    try look(conversation, after: 0) { number, sender, createdAt in
      if sender.map(users.contains) == true { return true }
      newest = (number, createdAt)
      return false
    }
    return newest
  }

  /// How many messages that are not of some users come after a number.
  func count(_ conversation: Int64, after number: MessageNumber, hiding users: Set<UserID>) throws(StoreError) -> Int {
    var count = 0
    try look(conversation, after: number) { _, sender, _ in
      if sender.map(users.contains) != true { count += 1 }
      return true
    }
    return min(count, ChatSettings.maxUnread)
  }

  /// Goes through the newest messages after a number, newest first, as long as it is wanted.
  private func look(
    _ conversation: Int64, after number: MessageNumber, _ goesOn: (MessageNumber, UserID?, Timestamp) -> Bool
  ) throws(StoreError) {
    try newestSenders.use { (statement) throws(StoreError) in
      statement.bind(conversation)
      statement.bind(number)
      statement.bind(Int64(ChatSettings.maxUnread + 1))
      while try statement.step() {
        guard goesOn(statement.integer(), statement.optionalText().map { UserID(stored: $0) }, statement.integer()) else { return }
      }
    }
  }
}

extension MessageRange {
  /// The range behind a message that was found in this one.
  fileprivate func continued(from last: MessageNumber) -> MessageRange {
    switch self {
    case .newest, .before: .before(last)
    case .after: .after(last)
    }
  }
}
