import ChatModel
import Queues

/// Which guests watch which users, anywhere in the process, as one loop was told, and whose machines on this loop want to ask the
/// store about it.
///
/// A guest sees only users with whom they share a conversation, so where one of the two comes or goes the user's machine asks again.
/// One machine asks at a time, in turn, and one who waits asks once, whatever happened meanwhile: guests who watch thousands and come
/// and go as fast as they may keep one of the store's readers busy with short questions, and nobody waits for more than one of them.
struct GuestSights {
  /// A guest and a user whom they watch.
  struct Pair: Hashable {
    let guest: UserID
    let user: UserID
  }

  private var watched: [UserID: Set<UserID>] = [:]
  private var watching: [UserID: Set<UserID>] = [:]
  /// The users of this loop about whom the store was asked since their guest moved last.
  private var asked: [UserID: Set<UserID>] = [:]
  /// How many loops still have to note a pair that this loop announced.
  private var unnoted: [Pair: Int] = [:]
  /// All guests who watch and all users whom they watch.
  private(set) var users: Set<UserID> = []
  /// The machines that want to ask.
  private var waiting = FIFO<MachineKey>()
  private var isAsking = false

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
    Self.remove(pair.user, from: &asked, of: pair.guest)
    for id in [pair.guest, pair.user] where watched[id] == nil && watching[id] == nil { users.remove(id) }
  }

  private static func remove(_ user: UserID, from sets: inout [UserID: Set<UserID>], of key: UserID) {
    sets[key]?.remove(user)
    if sets[key]?.isEmpty == true { sets[key] = nil }
  }

  /// Somebody came into a conversation or left it: the users of this loop whom they, a guest, may see or not any more.
  ///
  /// Those about whom the store was not asked since the last time are in doubt already. So a guest who moves all the time costs no
  /// more than what is asked in between.
  mutating func moved(_ mover: UserID) -> Set<UserID> { asked.removeValue(forKey: mover) ?? [] }

  /// Whether a guest watches a user.
  func isWatched(_ user: UserID) -> Bool { watching[user] != nil }

  // MARK: - Asking

  /// A machine wants to ask; says whether it is its turn, else it waits.
  mutating func begin(_ key: MachineKey) -> Bool {
    guard isAsking else {
      isAsking = true
      return true
    }
    waiting.append(key)
    return false
  }

  /// The store is asked about a pair whose user is one of this loop's.
  mutating func ask(_ pair: Pair) { asked[pair.guest, default: []].insert(pair.user) }

  /// The store answered, or the machine had nothing to ask; returns whose turn it is.
  mutating func finished() -> MachineKey? {
    let next = waiting.popFirst()
    isAsking = next != nil
    return next
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
