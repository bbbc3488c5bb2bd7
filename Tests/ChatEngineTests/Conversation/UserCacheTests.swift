import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func user(_ id: String, _ name: String, revision: Int64 = 1) -> UserRecord {
  var record = UserRecord(id: UserID(stored: id), name: name, createdAt: 1)
  record.revision = revision
  return record
}

@Test func `the newer of two rows counts`() {
  var users = UserCache()
  let ann = UserID(stored: "ann")
  let bob = UserID(stored: "bob")
  expect(!users.settles(ann), "unknown")
  expect(!users.changed(user("ann", "Ann"), isReading: false), "nobody shows her")
  users.take([user("ann", "Ann", revision: 3)], asked: [ann, bob])
  expect(users.settles(ann) && users.settles(bob) && users[bob] == nil, "bob is missing")
  expectEqual(users.snapshot(bob).name, "bob", "and shown by the id")
  expect(users.changed(user("ann", "Old", revision: 2), isReading: false), "she is cached")
  expectEqual(users.snapshot(ann).name, "Ann", "but newer")
  expect(users.changed(user("bob", "Bob"), isReading: false), "bob appears")
  expectEqual(users.snapshot(bob).name, "Bob", "with a name")

  let cy = UserID(stored: "cy")
  let dan = UserID(stored: "dan")
  _ = users.changed(user("cy", "New", revision: 5), isReading: true)
  _ = users.changed(user("dan", "Dan", revision: 1), isReading: true)
  users.take([user("cy", "Old", revision: 4)], asked: [cy, dan])
  users.finishReading()
  expectEqual([users.snapshot(cy).name, users.snapshot(dan).name], ["New", "Dan"], "what was heard meanwhile")

  expect(!users.isCrowded, "few")
  users.take((0..<1_100).map { user("u\($0)", "x") }, asked: [])
  expect(users.isCrowded, "many")
  users.dropUnused { $0 == ann }
  expectEqual([users.settles(ann), users.settles(bob)], [true, false], "only who is shown")
}
