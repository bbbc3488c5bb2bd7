/// A call as a client makes it: a text is not read for its markup yet, and lists can be watched.
package enum ChatCall: Hashable, Sendable {
  case operation(ChatOperation)
  /// Without an id the gateway draws one, or derives it from the pair of a direct conversation.
  case create(ConversationID?, NewConversation)
  /// Sends a text with its markup; the message's own content counts nothing.
  case sendText(ConversationID, String, OutgoingMessage)
  /// Replaces a body by a text with its markup.
  case editText(ConversationID, MessageID, String, custom: CustomPatch)
  /// Watches a topic; `from` is the id of the item that the first window must reach.
  case subscribe(Topic, from: String?)
  case unsubscribe(Topic)
  case loadMore(Topic, count: Int?)

  /// Whether doing it twice does what doing it once does, so that it may be asked again where no answer came.
  package var isRepeatable: Bool {
    switch self {
    case .sendText(_, _, let message), .operation(.inConversation(_, .send(let message))): message.clientMessageId != nil
    case .operation(.inConversation(_, .get)), .operation(.inConversation(_, .history)), .operation(.inConversation(_, .getMessage)),
      .operation(.inConversation(_, .getThread)),
      .operation(.inConversation(_, .getParticipant)), .operation(.inConversation(_, .listRestrictions)),
      .operation(.inConversation(_, .here)), .operation(.onUser(_, .get)), .operation(.onUser(_, .whereabouts)):
      true
    case .operation, .create, .editText, .subscribe, .unsubscribe, .loadMore: false
    }
  }
}
