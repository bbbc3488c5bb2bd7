import ChatModel
import JSON

extension JSONWriter {
  /// Writes the result object of a call.
  mutating func result(_ result: CallResult) {
    beginObject()
    switch result {
    case .pong(let time): field("time", time)
    case .session(let session): members(of: session)
    case .refreshed(let expiresAt): field("expiresAt", expiresAt)
    case .sessions(let sessions):
      key("sessions")
      list(sessions) { $0.session($1) }
    case .fileToken(let token):
      field("token", token.text)
      field("expiresAt", token.expiresAt)
    case .revoked(let count): field("revoked", count)
    case .subscription(let topic, let state):
      field("topic", topic)
      field("state", state.rawValue)
    case .chat(let reply): members(of: reply)
    }
    endObject()
  }

  /// Writes what a session is.
  mutating func session(_ session: SessionInfo) {
    beginObject()
    members(of: session)
    endObject()
  }

  /// Writes an error object (JSON-RPC 2.0 §5.1).
  mutating func error(_ error: RPCError) {
    beginObject()
    field("code", error.kind.code)
    field("message", error.message)
    key("data")
    beginObject()
    field("key", error.kind.key)
    field("temporary", error.kind.isTemporary)
    field("retryAfterMs", ifPresent: error.retryAfterMs.map { Int64($0) })
    field("field", ifPresent: error.field)
    field("reason", ifPresent: error.reason)
    endObject()
    endObject()
  }

  private mutating func members(of session: SessionInfo) {
    field("session", session.session)
    key("user")
    user(session.user)
    field("role", session.role)
    field("expiresAt", session.expiresAt)
    field("token", ifPresent: session.token)
  }

  private mutating func session(_ session: SessionSummary) {
    beginObject()
    field("session", session.session)
    field("kind", session.kind.rawValue)
    field("role", session.role)
    field("openedAt", session.openedAt)
    field("expiresAt", session.expiresAt)
    field("isCurrent", session.isCurrent)
    endObject()
  }

  private mutating func members(of reply: ChatReply) {
    switch reply {
    case .done: break
    case .conversation(let conversation):
      key("conversation")
      optional(conversation) { $0.conversation($1) }
    case .created(let conversation, let isNew):
      key("conversation")
      self.conversation(conversation)
      field("created", isNew)
    case .sent(let message, let isDuplicate):
      key("message")
      optional(message) { $0.message($1) }
      field("duplicate", isDuplicate)
    case .history(let messages, let loadedAll):
      key("messages")
      list(messages) { $0.message($1) }
      field("loadedAll", loadedAll)
    case .message(let message):
      key("message")
      optional(message) { $0.message($1) }
    case .participant(let participant):
      key("participant")
      optional(participant) { $0.participant($1) }
    case .user(let user):
      key("user")
      optional(user) { $0.user($1) }
    case .reports(let reports, let loadedAll):
      key("reports")
      list(reports) { $0.report($1) }
      field("loadedAll", loadedAll)
    case .invited(let invited):
      key("participants")
      list(invited) { $0.invited($1) }
    case .invitees(let invitees, let loadedAll):
      key("invitees")
      list(invitees) { $0.invitee($1) }
      field("loadedAll", loadedAll)
    case .restrictions(let restrictions, let loadedAll):
      key("restrictions")
      list(restrictions) { $0.restriction($1) }
      field("loadedAll", loadedAll)
    case .present(let users, let count, let loadedAll):
      key("users")
      list(users) { $0.user($1) }
      field("count", count)
      field("loadedAll", loadedAll)
    case .muted(let ids):
      key("users")
      list(ids) { $0.string($1.text) }
    case .conversations(let ids):
      key("conversations")
      list(ids) { $0.string($1.text) }
    case .count(let count): field("count", count)
    case .loadedAll(let loadedAll): field("loadedAll", loadedAll)
    }
  }
}
