extension Method {
  /// What the method's params are and what is made of them.
  var shape: CallShape { Self.shapes[index] }

  private static let shapes = allCases.map(\.description)

  private var description: CallShape {
    switch self {
    case .ping: .ping
    case .sessionOpen: .sessionOpen
    case .sessionRefresh: .sessionRefresh
    case .sessionClose: .sessionClose
    case .sessionList: .sessionList
    case .sessionRevoke: .sessionRevoke
    case .conversationCreateIfNotExists: .conversationCreateIfNotExists
    case .conversationSet: .conversationSet
    case .conversationDeleteFields: .conversationDeleteFields
    case .conversationGet: .conversationGet
    case .conversationDelete: .conversationDelete
    case .conversationSend: .conversationSend
    case .conversationHistory: .conversationHistory
    case .conversationMarkAsRead: .conversationMarkAsRead
    case .conversationMarkAsUnread: .conversationMarkAsUnread
    case .conversationMarkAllAsRead: .conversationMarkAllAsRead
    case .conversationMarkAsTyping: .conversationMarkAsTyping
    case .conversationStartTyping: .conversationStartTyping
    case .conversationStopTyping: .conversationStopTyping
    case .conversationPin: .conversationPin
    case .conversationUnpin: .conversationUnpin
    case .messageGet: .messageGet
    case .messageEdit: .messageEdit
    case .messageDelete: .messageDelete
    case .messageDeleteFields: .messageDeleteFields
    case .messageAddReaction: .messageAddReaction
    case .messageRemoveReaction: .messageRemoveReaction
    case .messageThread: .messageThread
    case .participantGet: .participantGet
    case .participantDelete: .participantDelete
    case .participantCreateIfNotExists: .participantCreateIfNotExists
    case .participantSet: .participantSet
    case .participantEdit: .participantEdit
    case .participantDeleteFields: .participantDeleteFields
    case .userGet: .userGet
    case .userCreateIfNotExists: .userCreateIfNotExists
    case .userSet: .userSet
    case .userDeleteFields: .userDeleteFields
    case .conversationInvite: .conversationInvite
    case .conversationInvitees: .conversationInvitees
    case .conversationReport: .conversationReport
    case .moderationSet: .moderationSet
    case .moderationList: .moderationList
    case .moderationReports: .moderationReports
    case .moderationDismiss: .moderationDismiss
    case .userMute: .userMute
    case .userUnmute: .userUnmute
    case .userMuted: .userMuted
    case .presenceHere: .presenceHere
    case .presenceWhere: .presenceWhere
    case .pushRegister: .pushRegister
    case .pushUnregister: .pushUnregister
    case .fileToken: .fileToken
    case .subscribe: .subscribe
    case .unsubscribe: .unsubscribe
    case .loadMore: .loadMore
    }
  }
}
