import ChatModel

/// The rows of the users whom a conversation shows.
struct UserCache {
  private var rows: [UserID: UserRecord] = [:]
  /// Users whom the store does not know.
  private var missing: Set<UserID> = []
  /// Rows that were announced while a question to the store was open, whose answer may be older.
  private var heard: [UserID: UserRecord] = [:]
  /// The size at which rows that nothing shows are dropped.
  private var limit = Self.smallest

  private static let smallest = 1024

  /// Makes an empty cache.
  init() {}

  subscript(user: UserID) -> UserRecord? { rows[user] }

  /// Whether it is known if the user exists.
  func settles(_ user: UserID) -> Bool { rows[user] != nil || missing.contains(user) }

  /// What others see of a user; one without a row (erased) is shown by the id.
  func snapshot(_ user: UserID) -> UserSnapshot {
    rows[user]?.snapshot ?? UserRecord(id: user, name: user.text, createdAt: 0).snapshot
  }

  /// Takes the store's rows; of those asked for, the absent ones are remembered as missing.
  mutating func take(_ records: [UserRecord], asked: some Sequence<UserID>) {
    for record in records { keepNewer(record) }
    for user in asked where rows[user] == nil {
      if let record = heard[user] { rows[user] = record } else { missing.insert(user) }
    }
  }

  /// Hears that a user changed; returns whether the user is cached.
  mutating func changed(_ record: UserRecord, isReading: Bool) -> Bool {
    if isReading { heard[record.id] = record }
    let isCached = rows[record.id] != nil
    guard isCached || missing.contains(record.id) else { return false }
    keepNewer(record)
    return true
  }

  /// Says that the open question was answered.
  mutating func finishReading() { heard.removeAll() }

  /// Whether there are so many rows that it is time to drop some.
  var isCrowded: Bool { rows.count + missing.count > limit }

  /// Forgets the users whom nothing shows.
  mutating func dropUnused(keeping isShown: (UserID) -> Bool) {
    rows = rows.filter { isShown($0.key) }
    missing = missing.filter(isShown)
    // Doubled, so that a cache whose rows are all in use is not searched again at once.
    limit = max(Self.smallest, 2 * (rows.count + missing.count))
  }

  private mutating func keepNewer(_ record: UserRecord) {
    var newest = record
    if let other = heard[record.id], other.revision > newest.revision { newest = other }
    if let other = rows[record.id], other.revision > newest.revision { newest = other }
    rows[record.id] = newest
    missing.remove(record.id)
  }
}
