import ChatEngine
import ChatModel

extension StoreContract {
  private typealias Make = StoreContractRecords

  /// Conversations that differ in all that a filter looks at, listed through filters of every kind.
  static func checkFilters(_ store: StoreUnderTest) async {
    var store = store
    await store.commit(.putUser(Make.fullUser("ann")), .putUser(Make.fullUser("bob")))
    for number in 0..<12 {
      var record = ConversationRecord(id: Make.id("c\(number)"), type: .group, pair: nil, createdAt: Timestamp(1_000 + number))
      record.subject = number.isMultiple(of: 3) ? nil : number.isMultiple(of: 2) ? "even" : "odd"
      if !number.isMultiple(of: 4) {
        record.custom = CustomFields([(key: "color", value: ["red", "blue"][number % 2]), (key: "", value: "x")])
      }
      var place = Make.participant("ann", joinedAt: 1_100, marker: 5)
      place.access = number < 6 ? .read : .readWrite
      place.isMarkedUnread = number == 4
      await store.commit(.putConversation(record), .putParticipant(record.id, place))
      if number.isMultiple(of: 2) {
        let message = Make.message(MessageNumber(number), from: "bob", at: Timestamp(1_200 + number))
        await store.commit(.appendMessage(record.id, message, key: nil), .putConversation(record))
      }
    }
    await checkFilteredPages(store, comment: "as made")
    await store.commit(.updateMessage(Make.id("c10"), Make.tombstone(of: Make.message(10, from: "bob", at: 1_210), revision: 20)))
    await checkFilteredPages(store, comment: "a message deleted")
  }

  private static func checkFilteredPages(_ store: StoreUnderTest, comment: String) async {
    let cursors = [nil, ListCursor(activity: 1_206, conversation: Make.id("c6")), ListCursor(activity: 1_100, conversation: Make.id("c2"))]
    for filter in filters {
      for limit in [0, 1, 3, 20] {
        await store.compare(
          cursors.map { .conversationList(Make.user("ann"), after: $0, limit: limit, filter: filter) }, comment: "\(comment), \(filter)")
      }
      await store.compare(
        .conversationList(Make.user("nobody"), after: nil, limit: 9, filter: filter),
        .visibleList(Make.user("ann"), after: nil, limit: 3, hiding: [Make.user("bob")], filter: filter),
        .visibleList(Make.user("ann"), after: cursors[2], limit: 9, hiding: [Make.user("nobody")], filter: filter), comment: comment)
    }
  }

  /// One filter for each condition, one for several, and one of alternatives.
  static let filters: [ConversationFilter] = {
    func conditions(_ fill: (inout ConversationConditions) -> Void) -> ConversationConditions {
      var conditions = ConversationConditions()
      fill(&conditions)
      return conditions
    }
    let single = [
      conditions { $0.access = .isOneOf(["Read"]) }, conditions { $0.subject = .isOneOf(["odd", nil]) },
      conditions { $0.subject = .isNoneOf([nil]) }, conditions { $0.add(.init(key: "color", .isOneOf(["blue"]))) },
      conditions { $0.add(.init(key: "color", .isAbsent)) }, conditions { $0.createdAt = .inside(1_003...1_007) },
      conditions { $0.lastMessageAt = .outside(1_203...1_207) }, conditions { $0.hasMessages = true },
      conditions { $0.hasMessages = false },
      conditions { $0.isUnread = true }, conditions { $0.isUnread = false },
    ]
    let several = conditions {
      $0.access = .isNoneOf(["Read"])
      $0.hasMessages = true
      $0.add(.init(key: "color", .exists))
    }
    let groups = single.map { [$0] } + [[several], [single[0], single[3], single[9]]]
    return groups.compactMap { ConversationFilter(anyOf: $0) }
  }()
}
