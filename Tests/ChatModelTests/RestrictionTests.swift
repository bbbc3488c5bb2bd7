import ChatModel
import TestSupport
import Testing

@Test func `a restriction that forbids nothing is none, and its snapshot says what was kept`() {
  let cases: [(Restriction, Bool)] = [
    (Restriction(), true), (Restriction(reason: "x"), true), (Restriction(isBanned: true), false), (Restriction(isMuted: true), false),
  ]
  for (restriction, isNone) in cases { expectEqual(restriction.isNone, isNone, "\(restriction)") }
  let ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1)
  var record = RestrictionRecord(user: ann.id, isBanned: true, isMuted: false, reason: nil, setBy: UserID(stored: "m"), setAt: 7)
  let bare = RestrictionSnapshot(user: ann.snapshot, record: record)
  expect(bare.isBanned && !bare.isMuted && bare.reason == nil && bare.setAt == 7 && bare.setBy.text == "m", "\(bare)")
  record.reason = "ab"
  expectEqual(RestrictionSnapshot(user: ann.snapshot, record: record).encodedSize, bare.encodedSize + 4, "with a reason")
  expectEqual(UserRange(limit: 3), UserRange(after: nil, limit: 3), "from the beginning")
}
