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
  case conversation(ConversationID)
  /// A topic by its name.
  case topic(String)
}

extension ClientRequest {
  /// What a held call keeps others from overtaking on; nil where nothing minds.
  ///
  /// A page of history shows what was committed since, so only what takes the page away waits behind it.
  var orderKey: OrderKey? {
    switch self {
    case .chat(.inConversation(let id, let operation)):
      switch operation {
      case .history, .delete, .deleteParticipant: .conversation(id)
      case .createIfNotExists, .set, .deleteFields, .get, .send, .markAsRead, .markAsUnread, .markAsTyping, .startTyping, .stopTyping,
        .getMessage, .editMessage, .deleteMessage, .deleteMessageFields, .getParticipant, .createParticipant, .setParticipant,
        .editParticipant, .deleteParticipantFields:
        nil
      }
    case .subscribe(let request): .topic(request.name)
    case .unsubscribe(let name, _), .loadMore(let name, _, _): .topic(name)
    case .ping, .openSession, .refreshSession, .closeSession, .listSessions, .revokeSessions, .createConversation, .chat(.onUser),
      .chat(.markAllAsRead), .cancel:
      nil
    }
  }
}
