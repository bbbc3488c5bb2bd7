import ChatModel

/// Which guests watch which users, anywhere in the process, as one loop was told.
///
/// A guest sees only users with whom they share a conversation, so where one of the two comes or goes the user's machine asks again.
struct GuestSights {
  /// A guest and a user whom they watch.
  struct Pair: Hashable {
    let guest: UserID
    let user: UserID
  }

  /// A user whose machine has to ask again about one guest, or with nil about all.
  struct Question: Hashable {
    let user: UserID
    let guest: UserID?
  }

  private var watched: [UserID: Set<UserID>] = [:]
  private var watching: [UserID: Set<UserID>] = [:]
  /// How many loops still have to note a pair that this loop announced.
  private var unnoted: [Pair: Int] = [:]
  /// All guests who watch and all users whom they watch.
  private(set) var users: Set<UserID> = []

  /// A guest watches a user, or no more.
  mutating func note(_ pair: Pair, isWatching: Bool) {
    if isWatching {
      watched[pair.guest, default: []].insert(pair.user)
      watching[pair.user, default: []].insert(pair.guest)
      users.formUnion([pair.guest, pair.user])
      return
    }
    Self.remove(pair.user, from: &watched, of: pair.guest)
    Self.remove(pair.guest, from: &watching, of: pair.user)
    for id in [pair.guest, pair.user] where watched[id] == nil && watching[id] == nil { users.remove(id) }
  }

  private static func remove(_ user: UserID, from sets: inout [UserID: Set<UserID>], of key: UserID) {
    sets[key]?.remove(user)
    if sets[key]?.isEmpty == true { sets[key] = nil }
  }

  /// What has to be asked after somebody came into a conversation or left it.
  func questions(about mover: UserID) -> [Question] {
    let asGuest = (watched[mover] ?? []).sorted().map { Question(user: $0, guest: mover) }
    return watching[mover] == nil ? asGuest : asGuest + [Question(user: mover, guest: nil)]
  }

  // MARK: - Announcing

  /// This loop tells so many loops of a pair.
  mutating func announce(_ pair: Pair, to loops: Int) { unnoted[pair, default: 0] += loops }

  /// A loop noted a pair; true when all did.
  mutating func noted(_ pair: Pair) -> Bool {
    guard let left = unnoted[pair] else { return false }
    unnoted[pair] = left > 1 ? left - 1 : nil
    return left == 1
  }
}
