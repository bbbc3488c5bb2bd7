import ChatModel
import JSON

extension JSONWriter {
  /// Writes the params of a notification.
  mutating func params(of notification: ServerNotification) {
    beginObject()
    switch notification {
    case .hello(let hello): members(of: hello)
    case .active(let topic, let snapshot):
      field("topic", topic)
      field("state", SubscriptionState.active.rawValue)
      members(of: snapshot)
    case .unsubscribed(let topic, let reason):
      field("topic", topic)
      field("state", SubscriptionState.unsubscribed.rawValue)
      field("reason", reason.rawValue)
    case .failed(let topic, let error):
      field("topic", topic)
      field("state", SubscriptionState.error.rawValue)
      key("error")
      self.error(error)
    case .sessionExpiring(let expiresAt): field("expiresAt", expiresAt)
    case .goAway(let reason, let reconnectAfterMs, let deadlineMs):
      field("reason", reason.rawValue)
      field("reconnectAfterMs", reconnectAfterMs)
      field("deadlineMs", deadlineMs)
    }
    endObject()
  }

  private mutating func members(of snapshot: TopicSnapshot) {
    key("snapshot")
    switch snapshot {
    case .conversation(let conversation): optional(conversation) { $0.conversation($1) }
    case .messages(let messages, let loadedAll):
      optional(messages) { writer, messages in writer.list(messages) { $0.message($1) } }
      field("loadedAll", loadedAll)
    case .participants(let participants, let loadedAll):
      optional(participants) { writer, participants in writer.list(participants) { $0.participant($1) } }
      field("loadedAll", loadedAll)
    case .typing(let typing): optional(typing) { $0.typing($1) }
    case .conversations(let conversations, let loadedAll):
      list(conversations) { $0.conversation($1) }
      field("loadedAll", loadedAll)
    case .invitations(let invitations): list(invitations) { $0.invitation($1) }
    case .user(let user): optional(user) { $0.user($1) }
    case .online(let online): optional(online) { $0.online($1) }
    }
  }

  private mutating func members(of hello: Hello) {
    field("protocol", Hello.protocolName)
    key("server")
    beginObject()
    field("name", hello.server.name)
    field("version", hello.server.version)
    endObject()
    field("connection", hello.connection)
    field("time", hello.time)
    field("heartbeatMs", hello.heartbeatMs)
    field("graceMs", hello.graceMs)
    switch hello.auth {
    case .required: field("auth", "required")
    case .guest: field("auth", "guest")
    case .done(let session):
      field("auth", "done")
      key("session")
      self.session(session)
    }
    key("limits")
    limits(hello.limits)
  }

  private mutating func limits(_ limits: Hello.Limits) {
    beginObject()
    field("maxMessageBytes", limits.calls.maxMessageBytes)
    field("maxTextLength", limits.calls.maxTextLength)
    field("maxSubscriptions", limits.maxSubscriptions)
    field("maxBatch", limits.calls.maxBatch)
    field("operationsPerSecond", limits.operationsPerSecond)
    key("pages")
    beginObject()
    key("messages")
    window(limits.chat.messages)
    key("participants")
    window(limits.chat.participants)
    key("conversations")
    window(limits.chat.conversations)
    endObject()
    // Members that came later stand behind those of the first version.
    field("operationsBurst", limits.operationsBurst)
    field("connectionsPerUser", limits.chat.sessionsPerUser)
    field("maxFragments", limits.maxFragments)
    field("maxInFlight", limits.maxInFlight)
    field("maxJSONDepth", limits.calls.maxDepth)
    field("outboundBytes", limits.outboundBytes)
    field("inflatedBytesPerSecond", limits.inflatedBytesPerSecond)
    endObject()
  }

  private mutating func window(_ window: ChatSettings.Window) {
    beginObject()
    field("initial", window.initial)
    field("max", window.maxPage)
    field("default", window.defaultPage)
    endObject()
  }
}
