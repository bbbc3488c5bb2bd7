import ChatEngine
import ChatModel
import GatewayProtocol

/// A call that waits for room in the queue of its connection.
struct HeldCall {
  let request: ClientRequest
  let caller: Caller
  let waited: WaitingCall
}

/// A subscription that was answered and of which the shard does not know yet.
struct HeldSubscription: Hashable {
  let request: TopicRequest
  let subscriber: SubscriberID
  let caller: Caller
  let start: WindowStart?
}

/// What calls take effect in the order of their arrival on.
enum OrderKey: Hashable {
  /// The pages of a conversation's history, which only what takes them away must not overtake.
  case pages(ConversationID)
  /// Everything else about a conversation.
  case conversation(ConversationID)
  /// A topic by its name.
  case topic(String)
}

extension ClientRequest {
  /// What a held call keeps others from overtaking on; nil where nothing minds.
  var orderKey: OrderKey? {
    switch self {
    case .chat(.inConversation(let id, .history)): .pages(id)
    case .chat(.inConversation(let id, _)), .createConversation(let id?, _): .conversation(id)
    case .subscribe(let request): .topic(request.name)
    case .unsubscribe(let name, _), .loadMore(let name, _, _): .topic(name)
    case .ping, .openSession, .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .createConversation(nil, _),
      .chat(.onUser), .chat(.onSelf), .chat(.markAllAsRead), .cancel:
      nil
    }
  }

  /// What of the calls that are held the call must not overtake.
  ///
  /// A page of history shows what was committed since, so only what takes the page away waits behind it.
  var waitsBehind: [OrderKey] {
    guard let key = orderKey else { return [] }
    switch self {
    case .chat(.inConversation(let id, let operation)):
      switch operation {
      case .delete, .deleteParticipant, .restrict: return [.pages(id), key]
      case .history: return [.conversation(id)]
      case .createIfNotExists, .set, .deleteFields, .get, .send, .markAsRead, .markAsUnread, .markAsTyping, .startTyping, .stopTyping,
        .getMessage, .getThread, .editMessage, .deleteMessage, .deleteMessageFields, .getParticipant, .createParticipant, .setParticipant,
        .editParticipant, .deleteParticipantFields, .listRestrictions, .here, .addReaction, .removeReaction, .pin, .unpin, .report,
        .listReports, .dismissReports,
        .invite, .listInvitees:
        return [key]
      }
    case .subscribe(let request): return request.topic.conversation.map { [key, .conversation($0)] } ?? [key]
    case .ping, .openSession, .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .createConversation,
      .chat(.onUser),
      .chat(.onSelf), .chat(.markAllAsRead), .unsubscribe, .loadMore, .cancel:
      return [key]
    }
  }
}

extension Topic {
  /// The conversation that the topic is about.
  fileprivate var conversation: ConversationID? {
    switch self {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id): id
    case .conversations, .invitations, .user, .online: nil
    }
  }
}
