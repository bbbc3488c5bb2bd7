/// The methods that exist, as `docs/protocol.md` lists them.
///
/// The raw value is the place in `allCases`, for tables and metrics.
package enum Method: Int, Hashable, Sendable, CaseIterable {
  case ping
  case sessionOpen
  case sessionRefresh
  case sessionClose
  case sessionList
  case sessionRevoke
  case conversationCreateIfNotExists
  case conversationSet
  case conversationDeleteFields
  case conversationGet
  case conversationDelete
  case conversationSend
  case conversationHistory
  case conversationMarkAsRead
  case conversationMarkAsUnread
  case conversationMarkAllAsRead
  case conversationMarkAsTyping
  case conversationStartTyping
  case conversationStopTyping
  case conversationPin
  case conversationUnpin
  case messageGet
  case messageEdit
  case messageDelete
  case messageDeleteFields
  case messageAddReaction
  case messageRemoveReaction
  case messageThread
  case participantGet
  case participantDelete
  case participantCreateIfNotExists
  case participantSet
  case participantEdit
  case participantDeleteFields
  case userGet
  case userCreateIfNotExists
  case userSet
  case userDeleteFields
  case conversationInvite
  case conversationInvitees
  case conversationReport
  case moderationSet
  case moderationList
  case moderationReports
  case moderationDismiss
  case userMute
  case userUnmute
  case userMuted
  case presenceHere
  case presenceWhere
  case pushRegister
  case pushUnregister
  case fileToken
  case subscribe
  case unsubscribe
  case loadMore

  /// Finds a method by its name.
  package init?(name: String) {
    guard let method = Self.byName[name] else { return nil }
    self = method
  }

  /// Finds a method by the bytes of its name; long ones are not copied.
  init?(utf8 name: UnsafeRawBufferPointer) {
    guard name.count <= Self.maxNameBytes else { return nil }
    self.init(name: String(decoding: name, as: UTF8.self))
  }

  /// The place in `allCases`.
  package var index: Int { rawValue }

  /// The name on the wire.
  package var name: String {
    switch self {
    case .ping: "ping"
    case .sessionOpen: "session.open"
    case .sessionRefresh: "session.refresh"
    case .sessionClose: "session.close"
    case .sessionList: "session.list"
    case .sessionRevoke: "session.revoke"
    case .conversationCreateIfNotExists: "conversation.createIfNotExists"
    case .conversationSet: "conversation.set"
    case .conversationDeleteFields: "conversation.deleteFields"
    case .conversationGet: "conversation.get"
    case .conversationDelete: "conversation.delete"
    case .conversationSend: "conversation.send"
    case .conversationHistory: "conversation.history"
    case .conversationMarkAsRead: "conversation.markAsRead"
    case .conversationMarkAsUnread: "conversation.markAsUnread"
    case .conversationMarkAllAsRead: "conversation.markAllAsRead"
    case .conversationMarkAsTyping: "conversation.markAsTyping"
    case .conversationStartTyping: "conversation.startTyping"
    case .conversationStopTyping: "conversation.stopTyping"
    case .conversationPin: "conversation.pin"
    case .conversationUnpin: "conversation.unpin"
    case .messageGet: "message.get"
    case .messageEdit: "message.edit"
    case .messageDelete: "message.delete"
    case .messageDeleteFields: "message.deleteFields"
    case .messageAddReaction: "message.addReaction"
    case .messageRemoveReaction: "message.removeReaction"
    case .messageThread: "message.thread"
    case .participantGet: "participant.get"
    case .participantDelete: "participant.delete"
    case .participantCreateIfNotExists: "participant.createIfNotExists"
    case .participantSet: "participant.set"
    case .participantEdit: "participant.edit"
    case .participantDeleteFields: "participant.deleteFields"
    case .userGet: "user.get"
    case .userCreateIfNotExists: "user.createIfNotExists"
    case .userSet: "user.set"
    case .userDeleteFields: "user.deleteFields"
    case .conversationInvite: "conversation.invite"
    case .conversationInvitees: "conversation.invitees"
    case .conversationReport: "conversation.report"
    case .moderationSet: "moderation.set"
    case .moderationList: "moderation.list"
    case .moderationReports: "moderation.reports"
    case .moderationDismiss: "moderation.dismiss"
    case .userMute: "user.mute"
    case .userUnmute: "user.unmute"
    case .userMuted: "user.muted"
    case .presenceHere: "presence.here"
    case .presenceWhere: "presence.where"
    case .pushRegister: "push.register"
    case .pushUnregister: "push.unregister"
    case .fileToken: "file.token"
    case .subscribe: "subscribe"
    case .unsubscribe: "unsubscribe"
    case .loadMore: "loadMore"
    }
  }

  private static let byName = Dictionary(uniqueKeysWithValues: allCases.map { ($0.name, $0) })
  private static let maxNameBytes = allCases.map(\.name.utf8.count).max() ?? 0
}
