package import ChatModel

/// What the server says unasked.
package enum ServerNotification: Hashable, Sendable {
  case hello(Hello)
  /// A topic is live, or changed; the topic by its canonical name.
  case active(topic: String, TopicSnapshot)
  /// The server ended a subscription.
  case unsubscribed(topic: String, UnsubscribeReason)
  /// A live subscription cannot go on.
  case failed(topic: String, RPCError)
  case sessionExpiring(expiresAt: Timestamp)
  /// The connection will be closed; the milliseconds count from now.
  case goAway(GoAwayReason, reconnectAfterMs: Int, deadlineMs: Int)

  /// The method on the wire.
  package var method: StaticString {
    switch self {
    case .hello: "hello"
    case .active, .unsubscribed, .failed: "subscription"
    case .sessionExpiring: "session.expiring"
    case .goAway: "goAway"
    }
  }
}

/// The closed list of reasons for which the server ends a subscription unasked.
package enum UnsubscribeReason: String, Hashable, Sendable, CaseIterable {
  /// The server has too much to do; the client may subscribe again after a while.
  case overloaded
}

/// The closed list of reasons for which the server asks its clients to leave.
package enum GoAwayReason: String, Hashable, Sendable, CaseIterable {
  case restart
}
