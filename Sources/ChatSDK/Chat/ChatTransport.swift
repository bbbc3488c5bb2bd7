package import ChatModel

/// What the SDK stands on: it performs calls and yields events.
///
/// One implementation speaks to a gateway over a WebSocket, another runs the engine in the process.
package protocol ChatTransport: Sendable {
  /// Begins to connect, once; events come one after the other.
  func open(_ receive: @escaping @Sendable (TransportEvent) -> Void)

  /// Performs a call, and again after the connection was lost where that does no harm.
  ///
  /// Calls take effect in their order. It returns at once and never answers before it returned; it answers exactly once, a closed one too.
  func perform(_ call: ChatCall, _ answer: @escaping @Sendable (Result<ChatReply, ChatError>) -> Void)

  /// Ends everything for good; no event comes any more.
  func close()
}

/// What a transport tells unasked.
package enum TransportEvent: Equatable, Sendable {
  /// A session is open, perhaps again: no topic is subscribed.
  case connected(user: ChatModel.UserSnapshot)
  /// There is no session any more, or an attempt to get one failed; the transport goes on trying.
  case disconnected(ChatError)
  case snapshot(Topic, TopicSnapshot)
  /// The other side ended a subscription: for good with an error, else it may be asked for again after a while.
  case ended(Topic, ChatError?)
  /// Nothing can be done any more, as with a token that is refused.
  case failed(ChatError)
}
