/// Whether there is a connection, as listeners hear of it.
public enum ConnectionStatus: Hashable, Sendable {
  /// Subscriptions are served.
  case online
  /// Subscriptions were disconnected on purpose, or the chat was destroyed.
  case offline
  /// The connection was lost, or none can be had; unless the error is final the chat comes back by itself (``Chat/isReconnecting``).
  case connectionError(ChatError)
}
