import ChatModel
import JSON

// The results of `docs/protocol.md`, Methods.
extension ServerValue {
  /// Reads the result of a method.
  func result(of method: Method) throws(MalformedMessage) -> CallResult {
    switch method {
    case .ping: .pong(time: try required("time").integer())
    case .sessionOpen: .session(try sessionInfo())
    case .sessionRefresh: .refreshed(expiresAt: try optional("expiresAt")?.integer())
    case .sessionList: .sessions(try required("sessions").list { (session) throws(MalformedMessage) in try session.sessionSummary() })
    case .fileToken:
      .fileToken(FileToken(text: try required("token").string(), expiresAt: try required("expiresAt").integer()))
    case .sessionRevoke: .revoked(try required("revoked").count())
    case .subscribe, .unsubscribe: .subscription(topic: try required("topic").string(), try required("state").choice())
    case .sessionClose, .conversationDelete, .conversationMarkAsTyping, .conversationStartTyping, .conversationStopTyping,
      .messageDelete, .participantDelete:
      .done
    case .conversationCreateIfNotExists:
      .chat(.created(try required("conversation").conversationSnapshot(), isNew: try required("created").bool()))
    case .conversationSet, .conversationDeleteFields, .conversationGet, .conversationMarkAsRead, .conversationMarkAsUnread,
      .conversationPin, .conversationUnpin, .messageThread:
      .chat(.conversation(try optional("conversation")?.conversationSnapshot()))
    case .conversationSend: .chat(.sent(try optional("message")?.messageSnapshot(), isDuplicate: try required("duplicate").bool()))
    case .conversationHistory: .chat(try history())
    case .conversationMarkAllAsRead: .chat(.count(try required("count").count()))
    case .messageGet, .messageEdit, .messageDeleteFields, .messageAddReaction, .messageRemoveReaction:
      .chat(.message(try optional("message")?.messageSnapshot()))
    case .participantGet, .participantCreateIfNotExists, .participantSet, .participantEdit, .participantDeleteFields:
      .chat(.participant(try optional("participant")?.participantSnapshot()))
    case .userGet, .userCreateIfNotExists, .userSet, .userDeleteFields: .chat(.user(try optional("user")?.userSnapshot()))
    case .conversationReport, .moderationSet, .moderationDismiss, .pushRegister, .pushUnregister, .userMute, .userUnmute:
      .done
    case .conversationInvite:
      .chat(.invited(try required("participants").list { (entry) throws(MalformedMessage) in try entry.invited() }))
    case .conversationInvitees:
      .chat(
        .invitees(
          try required("invitees").list { (entry) throws(MalformedMessage) in try entry.invitee() },
          loadedAll: try required("loadedAll").bool()))
    case .moderationReports:
      .chat(
        .reports(
          try required("reports").list { (entry) throws(MalformedMessage) in try entry.report() },
          loadedAll: try required("loadedAll").bool()))
    case .userMuted: .chat(.muted(try required("users").list { (id) throws(MalformedMessage) in try id.user() }))
    case .moderationList:
      .chat(
        .restrictions(
          try required("restrictions").list { (entry) throws(MalformedMessage) in try entry.restriction() },
          loadedAll: try required("loadedAll").bool()))
    case .presenceHere:
      .chat(
        .present(
          try required("users").list { (user) throws(MalformedMessage) in try user.userSnapshot() }, count: try required("count").count(),
          loadedAll: try required("loadedAll").bool()))
    case .presenceWhere:
      .chat(.conversations(try required("conversations").list { (id) throws(MalformedMessage) in try id.conversation() }))
    case .loadMore: .chat(.loadedAll(try required("loadedAll").bool()))
    }
  }

  private func history() throws(MalformedMessage) -> ChatReply {
    let messages = try required("messages").list { (message) throws(MalformedMessage) in try message.messageSnapshot() }
    return .history(messages, loadedAll: try required("loadedAll").bool())
  }

  /// Reads who a session is.
  func sessionInfo() throws(MalformedMessage) -> SessionInfo {
    SessionInfo(
      session: try required("session").string(), user: try required("user").userSnapshot(), role: try required("role").string(),
      expiresAt: try optional("expiresAt")?.integer(), token: try optional("token")?.string())
  }

  private func sessionSummary() throws(MalformedMessage) -> SessionSummary {
    SessionSummary(
      session: try required("session").string(), kind: try required("kind").choice(), role: try required("role").string(),
      openedAt: try required("openedAt").integer(), expiresAt: try optional("expiresAt")?.integer(),
      isCurrent: try required("isCurrent").bool())
  }

  /// Reads an error object; a code that is not known counts as a mistake of the server.
  func error() throws(MalformedMessage) -> RPCError {
    let code = try required("code").integer()
    let kind = RPCErrorKind.allCases.first { $0.code == code } ?? .chat(.internal)
    let data = optional("data")
    return RPCError(
      kind, try required("message").string(), field: try data?.optional("field")?.string(),
      retryAfterMs: try data?.optional("retryAfterMs")?.count(), reason: try data?.optional("reason")?.string())
  }

  /// Reads a connection's first message.
  func greeting() throws(MalformedMessage) -> Greeting {
    let limits = try required("limits")
    let auth = try required("auth")
    let mode: Greeting.Auth
    switch try auth.string() {
    case "required": mode = .required
    case "guest": mode = .guest
    case "done": mode = .done(try required("session").sessionInfo())
    default: throw MalformedMessage(member: "auth")
    }
    return Greeting(
      auth: mode, heartbeatMs: try required("heartbeatMs").count(), graceMs: try required("graceMs").count(),
      maxMessageBytes: try limits.required("maxMessageBytes").count(), maxInFlight: try limits.optional("maxInFlight")?.count() ?? 64)
  }
}
