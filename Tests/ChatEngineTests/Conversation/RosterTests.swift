import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func place(_ user: String, joined: Int64, read: Int64? = nil) -> ParticipantRecord {
  var place = ParticipantRecord(user: UserID(stored: user), joinedAt: joined * 10, revision: joined)
  if let read { place.readUntil = read }
  return place
}

@Test func `the roster keeps the order of joining`() {
  var roster = Roster([place("c", joined: 3), place("b", joined: 1), place("a", joined: 1)])
  roster.put(place("d", joined: 5))
  func names(_ floor: Int64) -> [String] { roster.newestFirst(from: floor).map(\.user.text) }
  expectEqual(names(0), ["d", "c", "b", "a"], "last joined first")
  expectEqual(names(2), ["d", "c"], "from a floor on")
  expectEqual([0, 1, 2, 3, 4, 9].map { roster.floor(ofNewest: $0) }, [0, 5, 3, 1, 0, 0], "floors")
  expectEqual([0, 1, 2, 6].map { roster.count(from: $0) }, [4, 4, 2, 0], "counts")
  expectEqual([1, 2].map { roster.hasOlder(than: $0) }, [false, true], "older ones")
  roster.remove(UserID(stored: "b"))
  roster.remove(UserID(stored: "nobody"))
  expectEqual(names(0), ["d", "c", "a"], "one less")
  expectEqual([roster.count, roster.users.count], [3, 3], "three")
  expectEqual(roster[UserID(stored: "b")], nil, "gone")
}

@Test func `what somebody had who left is known until they are back`() {
  let (ann, bob) = (UserID(stored: "ann"), UserID(stored: "bob"))
  var roster = Roster([place("ann", joined: 1)], formerReaders: [bob])
  func highest() -> [Access] { [ann, bob].map { roster.highestAccess(ofReturning: $0) } }
  expectEqual(highest(), [.readWrite, .read], "from the store")
  var reader = place("ann", joined: 1)
  reader.access = .read
  roster.put(reader)
  roster.remove(ann)
  roster.put(place("bob", joined: 2))
  roster.remove(bob)
  expectEqual(highest(), [.read, .readWrite], "as they left")
}

@Test func `the lowest time of reading is always right`() {
  var roster = Roster()
  expectEqual(roster.lowestReadUntil(), nil, "nobody")
  let steps: [(String, Int64?, Int64?)] = [
    ("a", 10, 10), ("b", 20, 10), ("c", 10, 10), ("a", 30, 10), ("c", 15, 15), ("c", 40, 20), ("d", 5, 5), ("d", nil, 20), ("b", nil, 30),
    ("a", 30, 30), ("e", 30, 30), ("a", nil, 30), ("e", nil, 40), ("c", nil, nil),
  ]
  for (user, read, lowest) in steps {
    if let read { roster.put(place(user, joined: Int64(user.utf8.first ?? 0), read: read)) } else { roster.remove(UserID(stored: user)) }
    expectEqual(roster.lowestReadUntil(), lowest, "\(user) \(read ?? 0)")
  }
}
