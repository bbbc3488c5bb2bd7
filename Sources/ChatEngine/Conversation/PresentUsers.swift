package import ChatModel

/// A page of the participants who are online.
package struct PresentPage: Hashable, Sendable {
  /// Ordered by their ids.
  package let users: [UserID]
  /// How many are online in all.
  package let count: Int
  /// Whether none lies behind the page.
  package let reachedEnd: Bool

  /// Makes a page.
  package init(users: [UserID], count: Int, reachedEnd: Bool) {
    self.users = users
    self.count = count
    self.reachedEnd = reachedEnd
  }
}

/// The participants of a conversation who are online, counted when somebody asks.
///
/// Where they are many they are not counted again for a second: it costs what there is to count.
struct PresentUsers {
  private var ids: [UserID] = []
  private var countedAt: UInt64?

  /// From how many on they are not counted at each call.
  static let many = 1_000
  /// How long a count of many holds, milliseconds.
  static let holdsMs: UInt64 = 1_000

  /// Knows of nobody.
  init() {}

  /// A page behind a user, or from the beginning.
  mutating func page(of roster: Roster, limit: Int, after user: UserID?, at moment: Moment) -> PresentPage {
    count(roster, at: moment)
    let start = user.map { position(behind: $0) } ?? 0
    let shown = ids[start...].prefix(limit)
    return PresentPage(users: Array(shown), count: ids.count, reachedEnd: shown.endIndex == ids.endIndex)
  }

  private mutating func count(_ roster: Roster, at moment: Moment) {
    if ids.count > Self.many, let countedAt, moment.tick >= countedAt, moment.tick - countedAt < Self.holdsMs { return }
    let online = moment.onlineUsers
    ids = online.count < roster.count ? online.filter { roster[$0] != nil }.sorted() : roster.users.filter(online.contains).sorted()
    countedAt = moment.tick
  }

  /// The first index behind a user.
  private func position(behind user: UserID) -> Int {
    var low = 0
    var high = ids.count
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] <= user { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
