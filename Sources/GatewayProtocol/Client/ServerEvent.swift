package import ChatModel

/// What a message of the gateway means to a client.
package enum ServerEvent: Equatable, Sendable {
  case hello(Greeting)
  /// The answer to the request of this number.
  case reply(Int64, Result<CallResult, RPCError>)
  /// An error that belongs to no request of ours.
  case refused(RPCError)
  case snapshot(Topic, TopicSnapshot)
  /// The server ended a subscription: for good with an error, without one until it is asked again.
  case ended(Topic, RPCError?)
  case sessionExpiring(expiresAt: Timestamp)
  case goAway(reconnectAfterMs: Int)
  /// A notification that is not known, or the reply to a request that nobody waits for.
  case ignored
  /// What no gateway of this protocol sends; the text says where.
  case malformed(String)
}

/// The first message of a connection, as far as a client needs it (`docs/protocol.md`, Opening).
package struct Greeting: Equatable, Sendable {
  /// What the client has to do to be let in.
  package enum Auth: Equatable, Sendable {
    case required
    case guest
    case done(SessionInfo)
  }

  package let auth: Auth
  /// How long the server hears nothing before it sends a ping, milliseconds.
  package let heartbeatMs: Int
  /// How long it waits then, milliseconds.
  package let graceMs: Int
  /// The most bytes of a message to the server.
  package let maxMessageBytes: Int
  /// Calls without a reply, beyond which the server does not read.
  package let maxInFlight: Int

  /// Makes a greeting.
  package init(auth: Auth, heartbeatMs: Int, graceMs: Int, maxMessageBytes: Int, maxInFlight: Int) {
    self.auth = auth
    self.heartbeatMs = heartbeatMs
    self.graceMs = graceMs
    self.maxMessageBytes = maxMessageBytes
    self.maxInFlight = maxInFlight
  }
}
