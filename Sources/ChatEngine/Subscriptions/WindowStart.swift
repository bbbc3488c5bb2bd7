package import ChatModel

/// The item from which on a subscriber's first window reaches (`from` of `subscribe`).
package enum WindowStart: Hashable, Sendable {
  case message(MessageID)
  case participant(UserID)
}
