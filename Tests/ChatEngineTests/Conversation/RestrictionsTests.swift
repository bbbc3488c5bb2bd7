import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func record(_ user: String, ban: Bool = false, mute: Bool = false, reason: String? = nil) -> RestrictionRecord {
  RestrictionRecord(
    user: UserID(stored: user), isBanned: ban, isMuted: mute, reason: reason, setBy: UserID(stored: "mod"), setAt: 1)
}

@Test func `a restriction says whom it keeps from what, and why`() {
  let all = Restrictions([record("ann", ban: true, reason: "spam"), record("bob", mute: true), record("cy", ban: true, mute: true)])
  let table: [(String, ban: String?, mute: String?)] = [
    ("ann", "ann is banned from this conversation: spam", nil), ("bob", nil, "bob is muted in this conversation"),
    ("cy", "cy is banned from this conversation", "cy is muted in this conversation"), ("dan", nil, nil),
  ]
  for (user, ban, mute) in table {
    let refusals = [all.ban(of: UserID(stored: user)), all.mute(of: UserID(stored: user))]
    expectEqual(refusals.map { $0?.message }, [ban, mute], user)
    for case let refusal? in refusals { expectEqual(refusal.kind, .restricted, user) }
  }
  expectEqual(all.ban(of: UserID(stored: "ann"))?.reason, "spam", "the reason")
}

@Test func `restrictions are listed by users, a page at a time`() {
  var all = Restrictions(["d", "b", "e", "a"].map { record($0, mute: true) })
  all[UserID(stored: "c")] = record("c", mute: true)
  all[UserID(stored: "e")] = nil
  let table: [(after: String?, limit: Int, users: String, Bool)] = [
    (nil, 9, "abcd", true), (nil, 4, "abcd", true), (nil, 3, "abc", false), ("a", 2, "bc", false), ("bb", 2, "cd", true),
    ("d", 1, "", true),
  ]
  for (after, limit, users, reachedEnd) in table {
    let page = all.page(UserRange(after: after.map(UserID.init(stored:)), limit: limit))
    expectEqual(page.records.map(\.user.text).joined(), users, "behind \(after ?? "nobody")")
    expectEqual(page.reachedEnd, reachedEnd, "behind \(after ?? "nobody")")
  }
}
