import ChatModel

/// Who is typing: leases that end by themselves and are not stored.
struct TypingMachine {
  /// The two ways of saying that one types; a user may hold a lease of each.
  enum Lease {
    /// `markAsTyping`: cannot be stopped.
    case mark
    /// `startTyping`: ended by `stopTyping`.
    case start
  }

  private struct Typist {
    var markUntil: UInt64 = 0
    var startUntil: UInt64 = 0

    var until: UInt64 { max(markUntil, startUntil) }
  }

  private var typists: [UserID: Typist] = [:]
  /// Who has typed longest comes first.
  private(set) var order: [UserID] = []
  /// No lease ends before this tick; may be earlier than the first end, which costs one look.
  private(set) var nextEnd: UInt64?

  /// Nobody types.
  init() {}

  var isEmpty: Bool { order.isEmpty }

  func contains(_ user: UserID) -> Bool { typists[user] != nil }

  /// Begins or renews a lease; returns whether the user was not typing before.
  mutating func begin(_ lease: Lease, of user: UserID, until end: UInt64) -> Bool {
    let isNew = typists[user] == nil
    switch lease {
    case .mark: typists[user, default: Typist()].markUntil = end
    case .start: typists[user, default: Typist()].startUntil = end
    }
    if isNew { order.append(user) }
    nextEnd = min(nextEnd ?? end, end)
    return isNew
  }

  /// Ends the lease of `startTyping`; returns whether the user types no more.
  mutating func stop(_ user: UserID, now: UInt64) -> Bool {
    guard var typist = typists[user] else { return false }
    typist.startUntil = 0
    typists[user] = typist
    return typist.until > now ? false : end(user)
  }

  /// Ends all leases of a user; returns whether there were any.
  mutating func end(_ user: UserID) -> Bool {
    guard typists.removeValue(forKey: user) != nil else { return false }
    order.removeAll { $0 == user }
    if order.isEmpty { nextEnd = nil }
    return true
  }

  /// Ends all leases; returns whose.
  mutating func endAll() -> [UserID] {
    let users = order
    self = TypingMachine()
    return users
  }

  /// Ends the leases whose time has come; returns who types no more.
  mutating func expire(now: UInt64) -> [UserID] {
    guard let nextEnd, nextEnd <= now else { return [] }
    let ended = order.filter { typists[$0].map { $0.until <= now } ?? true }
    for user in ended { typists[user] = nil }
    if !ended.isEmpty { order.removeAll { typists[$0] == nil } }
    self.nextEnd = typists.values.lazy.map(\.until).min()
    return ended
  }

  /// What a viewer sees; nil stands for one who does not type.
  func snapshot(for viewer: UserID?, hiding muted: Set<UserID> = [], users: UserCache) -> TypingSnapshot {
    let seen = muted.isEmpty ? order : order.filter { !muted.contains($0) }
    let isTyping = viewer.map(contains) ?? false
    guard seen.count - (isTyping ? 1 : 0) <= TypingSnapshot.maxNamed else { return .many }
    return .few(seen.filter { $0 != viewer }.map { users.snapshot($0) })
  }
}
