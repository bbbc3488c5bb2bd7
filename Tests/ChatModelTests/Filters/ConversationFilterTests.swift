import ChatModel
import TestSupport
import Testing

private typealias Facts = ConversationFilter.Facts

private func conditions(_ fill: (inout ConversationConditions) -> Void) -> ConversationConditions {
  var conditions = ConversationConditions()
  fill(&conditions)
  return conditions
}

@Test func `all conditions of an alternative have to hold, and one alternative is enough`() {
  let plain = Facts(access: .readWrite, subject: "S", custom: CustomFields([("k", "v")]), createdAt: 5, lastMessageAt: 7, isUnread: true)
  var silent = plain
  (silent.lastMessageAt, silent.isUnread, silent.subject, silent.access) = (nil, false, nil, .read)
  let cases: [(String, [ConversationConditions], plain: Bool, silent: Bool)] = [
    ("access", [conditions { $0.access = .isOneOf(["Read"]) }], false, true),
    ("subject", [conditions { $0.subject = .exists }], true, false),
    ("a custom field", [conditions { $0.add(.init(key: "k", .isOneOf(["v"]))) }], true, true),
    (
      "two custom fields",
      [
        conditions {
          $0.add(.init(key: "k", .exists))
          $0.add(.init(key: "a", .exists))
        }
      ], false, false
    ),
    ("when it was made", [conditions { $0.createdAt = .above(5) }], false, false),
    ("the last message", [conditions { $0.lastMessageAt = .above(6) }], true, false),
    ("without a message there is no time of it", [conditions { $0.lastMessageAt = .outside(0...9) }], false, false),
    ("messages", [conditions { $0.hasMessages = true }], true, false),
    ("no messages", [conditions { $0.hasMessages = false }], false, true),
    ("unread", [conditions { $0.isUnread = true }], true, false), ("read", [conditions { $0.isUnread = false }], false, true),
    (
      "both hold for one only",
      [
        conditions {
          $0.isUnread = true
          $0.subject = .isOneOf(["S"])
        }
      ], true, false
    ),
    ("either", [conditions { $0.isUnread = true }, conditions { $0.hasMessages = false }], true, true), ("none", [], false, false),
  ]
  for (name, alternatives, one, other) in cases {
    guard let filter = ConversationFilter(anyOf: alternatives) else {
      expect(false, "\(name) is a filter")
      continue
    }
    expectEqual([filter.matches(plain), filter.matches(silent)], [one, other], name)
  }
  let unread = conditions { $0.isUnread = true }
  expectEqual(ConversationFilter(anyOf: [unread, ConversationConditions()]), nil, "what lets everything pass is no filter")
  let custom = ["b", "a"].map { ConversationConditions.Custom(key: $0, .exists) }
  let orders = [custom, custom.reversed()].map { keys in conditions { made in for key in keys { made.add(key) } } }
  expectEqual(Set(orders.map { ConversationFilter(anyOf: [$0]) }).count, 1, "whatever the order of the keys")
  expectEqual([orders[0], unread].map { ConversationFilter(anyOf: [$0])?.readsCustom }, [true, false], "whether custom fields are needed")
}

@Test func `a snapshot is matched by what its viewer sees`() {
  var record = ConversationRecord(id: ConversationID(stored: "c"), type: .group, pair: nil, createdAt: 5)
  record.subject = "S"
  var place = ParticipantRecord(user: UserID(stored: "ann"), joinedAt: 5, revision: 1)
  let snapshot = { ConversationSnapshot(record: record, viewer: place, lastMessage: nil, unreadMessageCount: 0, everyoneReadUntil: nil) }
  let filter = ConversationFilter(
    anyOf: [
      conditions {
        $0.isUnread = true
        $0.subject = .isOneOf(["S"])
        $0.hasMessages = false
      }
    ])
  expectEqual(filter?.matches(snapshot()), false, "read")
  place.isMarkedUnread = true
  expectEqual(filter?.matches(snapshot()), true, "marked as unread")
}
