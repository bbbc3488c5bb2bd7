package import ChatModel

/// What a client asks for, read and checked as far as one frame can tell.
package enum ClientRequest: Hashable, Sendable {
  case ping
  case openSession(SessionOpening)
  case refreshSession(token: String)
  case closeSession
  /// A token for the addresses of files.
  case fileToken
  case listSessions(UserID)
  case revokeSessions(UserID)
  /// Without an id the session draws one, or derives it from the pair of a direct conversation.
  case createConversation(ConversationID?, NewConversation)
  case chat(ChatOperation)
  case subscribe(TopicRequest)
  case unsubscribe(name: String, Topic)
  /// The range of the count depends on the topic and is checked there; nil asks for the topic's default.
  case loadMore(name: String, Topic, count: Int?)
  /// `$/cancelRequest`: always a notification.
  case cancel(RequestID)
}

/// How a session is opened.
package enum SessionOpening: Hashable, Sendable {
  case token(String)
  case guest(name: String?, id: UserID?)
}

/// What `subscribe` asks for.
package struct TopicRequest: Hashable, Sendable {
  package let topic: Topic
  /// The topic's canonical name.
  package let name: String
  /// The item from which on the first window reaches: the id of a message or a user, unchecked.
  package let from: String?
  /// Which conversations a list shows; nil for all.
  package let filter: ConversationFilter?

  /// Makes a request for a topic.
  package init(topic: Topic, from: String? = nil, filter: ConversationFilter? = nil) {
    self.topic = topic
    self.from = from
    self.filter = filter
    name = TopicName.text(of: topic)
  }
}

/// One call of a client: a request with an id, or a notification without.
package struct ClientCall: Equatable, Sendable {
  /// What the answer carries: the request's id; `null` where it had no readable one; nil for a notification, which is never answered.
  ///
  /// A `null` call has always failed. Whether another call with this id is in flight is for the session to know (`RPCError.idInFlight`).
  package let id: RequestID?
  /// The method where it exists, for metrics.
  package let method: Method?
  /// The user for whom an `app` session acts; others may not name one.
  package let actAs: UserID?
  /// The request, or the error to answer; of a failed notification nothing is left but to count it.
  package let request: Result<ClientRequest, RPCError>

  /// Makes a call.
  package init(id: RequestID?, method: Method? = nil, actAs: UserID? = nil, request: Result<ClientRequest, RPCError>) {
    self.id = id
    self.method = method
    self.actAs = actAs
    self.request = request
  }
}

/// What one text message of a client turned out to be.
package enum ClientFrame: Equatable, Sendable {
  case single(ClientCall)
  /// At least one call; the replies go back as one array, in any order, or not at all when it is empty.
  case batch([ClientCall])
  /// Answered with this error and the id `null`; nothing runs.
  case refused(RPCError)
  /// A response, which the gateway never asked for.
  case ignored
  /// The connection is to be closed with 1007 (RFC 6455 §8.1).
  case invalidUTF8
}
