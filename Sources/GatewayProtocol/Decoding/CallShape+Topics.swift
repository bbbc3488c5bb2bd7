import ChatModel

extension CallShape {
  static let subscribe = CallShape(
    topic, optional("mode", Read.mode), optional("from", Read.string), optional("filter", ReadFilter.filter), later: ["since"]
  ) { (topic, _, from, filter) throws(ChatError) in
    if filter != nil, topic.kind != .conversations { throw .invalid("filter", "belongs to the topic conversations") }
    return .subscribe(TopicRequest(topic: topic, from: from, filter: filter ?? nil))
  }

  static let unsubscribe = CallShape(topic) { .unsubscribe(name: TopicName.text(of: $0), $0) }

  static let loadMore = CallShape(topic, optional("count", Read.count)) { (topic, count) throws(ChatError) in
    guard topic.kind.isList else { throw .invalid("topic", "must be one whose snapshot is a list") }
    return .loadMore(name: TopicName.text(of: topic), topic, count: count)
  }

  private static let topic = required("topic", Read.topic)
}

extension TopicKind {
  /// Whether the snapshot is a list that grows.
  fileprivate var isList: Bool {
    switch self {
    case .messages, .participants, .conversations: true
    case .conversation, .typing, .invitations, .user, .online: false
    }
  }
}
