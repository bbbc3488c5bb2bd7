import ChatModel
import GatewayProtocol

/// What a call may put into the queue of its connection, as far as the call alone tells.
enum OutputCost: Hashable {
  /// At most so many bytes; the call waits until there is room for them.
  case heavy(Int)
  /// About so many bytes; the call runs at once, and while there is no room for more of its kind the socket is not read.
  case light(Int)

  /// Bytes of a whole page or snapshot: what `ChatSettings.maxPageBytes` bounds, and the message around it.
  static let page = ChatSettings.maxPageBytes + 4_096
  /// Bytes of the snapshot of one user, or of who types.
  private static let small = 8_192
  /// Bytes of a reply without content.
  private static let reply = 512

  /// The bytes, whether they are exact or not.
  var bytes: Int {
    switch self {
    case .heavy(let bytes), .light(let bytes): bytes
    }
  }

  /// The cost of a call.
  ///
  /// - Parameter maxTextLength: Unicode scalars of a message's text.
  init(_ request: ClientRequest, maxTextLength: Int) {
    let message = min(Self.page, maxTextLength * 8 + Self.small)
    switch request {
    case .chat(.inConversation(_, let operation)): self.init(operation, message: message)
    case .loadMore, .chat(.onUser(_, .whereabouts)): self = .heavy(Self.page)
    case .createConversation, .fileToken, .chat(.onUser): self = .light(Self.small)
    case .listSessions, .chat(.onSelf(.muted)): self = .light(2 * Self.small)
    case .ping, .openSession, .refreshSession, .closeSession, .revokeSessions, .chat(.onSelf), .chat(.markAllAsRead), .subscribe,
      .unsubscribe, .cancel:
      self = .light(Self.reply)
    }
  }

  private init(_ operation: ConversationOperation, message: Int) {
    switch operation {
    case .history, .listRestrictions, .here, .listReports, .invite, .listInvitees: self = .heavy(Self.page)
    case .getMessage, .deleteMessageFields, .addReaction, .removeReaction: self = .light(message)
    // A reply has the text twice, as `plaintext` and as `content`.
    case .send(let new): self = .light(min(Self.page, new.content.roughSize) + Self.small)
    case .editMessage: self = .light(message)
    case .createIfNotExists, .set, .deleteFields, .get, .getThread, .markAsRead, .markAsUnread, .getParticipant, .createParticipant,
      .setParticipant,
      .editParticipant, .deleteParticipantFields, .pin, .unpin:
      self = .light(Self.small)
    case .delete, .markAsTyping, .startTyping, .stopTyping, .deleteMessage, .deleteParticipant, .restrict, .report,
      .dismissReports:
      self = .light(Self.reply)
    }
  }

  /// What the first snapshot of a topic takes.
  init(_ topic: Topic, maxTextLength: Int) {
    switch topic {
    case .messages, .participants, .conversations, .invitations: self = .heavy(Self.page)
    // The last message and the pinned one.
    case .conversation: self = .heavy(min(Self.page, maxTextLength * 16 + 3 * Self.small))
    case .typing, .user, .online: self = .heavy(Self.small)
    }
  }
}
