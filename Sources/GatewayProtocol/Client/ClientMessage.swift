package import ChatModel
import JSON

/// What a client may ask, before it is text.
package enum ClientMessage: Hashable, Sendable {
  case call(ChatCall)
  case openSession(SessionOpening)
  case refreshSession(token: String)
  case closeSession
  case ping

  /// The method on the wire.
  package var method: Method {
    switch self {
    case .call(let call): call.method
    case .openSession: .sessionOpen
    case .refreshSession: .sessionRefresh
    case .closeSession: .sessionClose
    case .ping: .ping
    }
  }

  /// The whole request as compact JSON (JSON-RPC 2.0 §4).
  package func encoded(id: Int64) -> [UInt8] {
    var writer = JSONWriter(capacity: 512)
    writer.beginObject()
    writer.field("jsonrpc", "2.0")
    writer.field("id", id)
    writer.field("method", method.name)
    writer.key("params")
    writer.beginObject()
    switch self {
    case .call(let call): writer.params(of: call)
    case .openSession(.token(let token)), .refreshSession(let token): writer.field("token", token)
    case .openSession(.guest(let name, let id)):
      writer.key("guest")
      writer.beginObject()
      writer.field("name", ifPresent: name)
      writer.field("id", ifPresent: id?.text)
      writer.endObject()
    case .closeSession, .ping: break
    }
    writer.endObject()
    writer.endObject()
    return writer.bytes
  }
}

extension ChatCall {
  /// The method on the wire.
  package var method: Method {
    switch self {
    case .operation(.inConversation(_, let operation)): operation.method
    case .operation(.onUser(_, let operation)), .operation(.onSelf(let operation)): operation.method
    case .operation(.markAllAsRead): .conversationMarkAllAsRead
    case .create: .conversationCreateIfNotExists
    case .sendText: .conversationSend
    case .editText: .messageEdit
    case .subscribe: .subscribe
    case .unsubscribe: .unsubscribe
    case .loadMore: .loadMore
    }
  }
}

extension ConversationOperation {
  fileprivate var method: Method {
    switch self {
    case .createIfNotExists: .conversationCreateIfNotExists
    case .set: .conversationSet
    case .deleteFields: .conversationDeleteFields
    case .get: .conversationGet
    case .delete: .conversationDelete
    case .send: .conversationSend
    case .history: .conversationHistory
    case .markAsRead: .conversationMarkAsRead
    case .markAsUnread: .conversationMarkAsUnread
    case .markAsTyping: .conversationMarkAsTyping
    case .startTyping: .conversationStartTyping
    case .stopTyping: .conversationStopTyping
    case .getMessage: .messageGet
    case .getThread: .messageThread
    case .editMessage: .messageEdit
    case .deleteMessage: .messageDelete
    case .deleteMessageFields: .messageDeleteFields
    case .addReaction: .messageAddReaction
    case .removeReaction: .messageRemoveReaction
    case .pin: .conversationPin
    case .unpin: .conversationUnpin
    case .getParticipant: .participantGet
    case .createParticipant: .participantCreateIfNotExists
    case .setParticipant: .participantSet
    case .editParticipant: .participantEdit
    case .deleteParticipant: .participantDelete
    case .deleteParticipantFields: .participantDeleteFields
    case .restrict: .moderationSet
    case .listRestrictions: .moderationList
    case .here: .presenceHere
    case .invite: .conversationInvite
    case .listInvitees: .conversationInvitees
    case .report: .conversationReport
    case .listReports: .moderationReports
    case .dismissReports: .moderationDismiss
    }
  }
}

extension UserOperation {
  fileprivate var method: Method {
    switch self {
    case .get: .userGet
    case .whereabouts: .presenceWhere
    case .mute: .userMute
    case .unmute: .userUnmute
    case .muted: .userMuted
    case .registerDevice: .pushRegister
    case .unregisterDevice: .pushUnregister
    case .createIfNotExists: .userCreateIfNotExists
    case .set: .userSet
    case .deleteFields: .userDeleteFields
    }
  }
}
