/// Which of a user's conversations a list shows: those for which one of the alternatives holds whole.
package struct ConversationFilter: Hashable, Sendable {
  /// What a filter looks at.
  package struct Facts: Hashable, Sendable {
    package var access: Access
    package var subject: String?
    package var custom: CustomFields
    package var createdAt: Timestamp
    /// Nil where there is no message.
    package var lastMessageAt: Timestamp?
    package var isUnread: Bool

    package init(
      access: Access, subject: String?, custom: CustomFields, createdAt: Timestamp, lastMessageAt: Timestamp?, isUnread: Bool
    ) {
      self.access = access
      self.subject = subject
      self.custom = custom
      self.createdAt = createdAt
      self.lastMessageAt = lastMessageAt
      self.isUnread = isUnread
    }
  }

  /// The most alternatives of one filter.
  package static let maxAlternatives = 10
  /// The most values of one condition.
  package static let maxValues = 20
  /// The most custom fields that one alternative looks at.
  package static let maxCustomKeys = CustomFields.maxKeys
  /// The most UTF-8 bytes of all texts in a filter together.
  package static let maxBytes = 4096
  /// The most lists with a filter that one connection may watch.
  package static let maxLists = 20

  /// Of the alternatives: a list is found by its filter at each change.
  private let hash: Int
  package let alternatives: [ConversationConditions]

  /// Makes a filter; nil where every conversation would pass, which is the same as none.
  package init?(anyOf alternatives: [ConversationConditions]) {
    guard !alternatives.contains(ConversationConditions()) else { return nil }
    self.alternatives = alternatives
    hash = alternatives.hashValue
  }

  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// Whether custom fields are looked at.
  package var readsCustom: Bool { alternatives.contains { !$0.custom.isEmpty } }

  /// Whether a conversation belongs to the list.
  package func matches(_ facts: Facts) -> Bool { alternatives.contains { $0.hold(for: facts) } }

  /// Whether a conversation, as its viewer sees it, belongs to the list.
  package func matches(_ snapshot: ConversationSnapshot) -> Bool {
    matches(
      Facts(
        access: snapshot.access, subject: snapshot.subject, custom: snapshot.custom, createdAt: snapshot.createdAt,
        lastMessageAt: snapshot.lastMessage?.createdAt, isUnread: snapshot.isUnread))
  }
}

/// Conditions of a filter that all have to hold; those that are nil are none.
package struct ConversationConditions: Hashable, Sendable {
  /// What one custom field has to be.
  package struct Custom: Hashable, Sendable {
    package let key: ExactText
    package let condition: TextCondition

    package init(key: String, _ condition: TextCondition) {
      self.key = ExactText(key)
      self.condition = condition
    }
  }

  package var access: TextCondition?
  package var subject: TextCondition?
  /// Ordered by their keys, so that equal conditions are equal values.
  package private(set) var custom: [Custom] = []
  package var createdAt: NumberCondition?
  package var lastMessageAt: NumberCondition?
  package var hasMessages: Bool?
  package var isUnread: Bool?

  /// Makes conditions of which there are none yet.
  package init() {}

  /// Adds a condition on a custom field of which there is none yet.
  package mutating func add(_ condition: Custom) {
    let index = custom.firstIndex { condition.key < $0.key } ?? custom.count
    custom.insert(condition, at: index)
  }

  func hold(for facts: ConversationFilter.Facts) -> Bool {
    if let isUnread, isUnread != facts.isUnread { return false }
    if let hasMessages, hasMessages != (facts.lastMessageAt != nil) { return false }
    if let createdAt, !createdAt.holds(for: facts.createdAt) { return false }
    if let lastMessageAt {
      guard let time = facts.lastMessageAt, lastMessageAt.holds(for: time) else { return false }
    }
    if let access, !access.holds(for: facts.access.rawValue) { return false }
    if let subject, !subject.holds(for: facts.subject) { return false }
    return custom.allSatisfy { $0.condition.holds(for: facts.custom[$0.key.text]) }
  }
}
