import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func ids(_ numbers: some Sequence<Int>) -> [UserID] { numbers.map { UserID(stored: "u\(10_000 + $0)") } }

private func roster(_ numbers: some Sequence<Int>) -> Roster {
  Roster(ids(numbers).map { ParticipantRecord(user: $0, joinedAt: 1, revision: 1) })
}

struct PresentUsersTests {
  @Test func `those of a conversation who are online come in pages, in the order of their ids`() {
    var present = PresentUsers()
    let everybody = roster(0..<6)
    // Of six participants three are online, and one more who takes no part; and the other way round.
    for online in [ids([1, 3, 5, 9]), ids([1, 3, 5]) + ids(100..<120)] {
      let moment = Moment(wall: 0, tick: 0, onlineUsers: Set(online))
      let pages: [(Int, after: UserID?, [Int], reachedEnd: Bool)] = [
        (2, nil, [1, 3], false), (3, nil, [1, 3, 5], true), (2, ids([3])[0], [5], true), (2, ids([2])[0], [3, 5], true),
        (1, ids([1])[0], [3], false), (9, ids([5])[0], [], true),
      ]
      for (limit, user, found, reachedEnd) in pages {
        expectEqual(
          present.page(of: everybody, limit: limit, after: user, at: moment),
          PresentPage(users: ids(found), count: 3, reachedEnd: reachedEnd), "\(limit) after \(String(describing: user))")
      }
    }
    expectEqual(
      present.page(of: Roster(), limit: 9, after: nil, at: Moment(wall: 0, tick: 0)), PresentPage(users: [], count: 0, reachedEnd: true),
      "nobody")
  }

  @Test func `many are counted once a second`() {
    var present = PresentUsers()
    let all = PresentUsers.many + 1
    let everybody = roster(0..<all)
    let count = { (online: Int, tick: UInt64) in
      present.page(of: everybody, limit: 1, after: nil, at: Moment(wall: 0, tick: tick, onlineUsers: Set(ids(0..<online)))).count
    }
    expectEqual([count(all, 10), count(5, 11), count(5, 1_009)], [all, all, all], "the count holds")
    expectEqual([count(5, 1_010), count(4, 1_011)], [5, 4], "and then not; few are counted each time")
    expectEqual([count(all, 2_000), count(4, 1_999)], [all, 4], "a clock that went back")
  }
}
