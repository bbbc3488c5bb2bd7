import ChatModel

extension CallShape {
  static let conversationCreateIfNotExists = CallShape(
    optional("conversation", Read.conversation), optional("type", Read.choice), optional("with", Read.user),
    patch("subject", Read.subject), patch("photoUrl", Read.url), patch("welcomeMessages", ReadLists.welcomeMessages),
    newCustom, patch("access", Read.choice), patch("notify", Read.notify)
  ) { conversation, type, with, subject, photoUrl, welcomeMessages, custom, access, notify in
    let own = ParticipantPatch(access: access, notify: notify)
    let fields = ConversationPatch(subject, photoUrl, welcomeMessages, custom, own)
    return .createConversation(conversation, NewConversation(type: type, with: with, isServerMade: conversation == nil, fields: fields))
  }

  static let conversationSet = CallShape(
    conversation, patch("subject", Read.subject), patch("photoUrl", Read.url),
    patch("welcomeMessages", ReadLists.welcomeMessages), changedCustom, patch("access", Read.choice),
    patch("notify", Read.notify)
  ) { conversation, subject, photoUrl, welcomeMessages, custom, access, notify in
    let own = ParticipantPatch(access: access, notify: notify)
    return .of(conversation, .set(ConversationPatch(subject, photoUrl, welcomeMessages, custom, own)))
  }

  static let conversationDeleteFields = CallShape(conversation, required("fields", ReadLists.conversationFields)) {
    .of($0, .deleteFields($1))
  }

  static let conversationGet = CallShape(conversation) { .of($0, .get) }

  static let conversationDelete = CallShape(conversation) { .of($0, .delete) }

  static let conversationMarkAsRead = CallShape(conversation, optional("upTo", Read.string)) {
    .of($0, .markAsRead(upTo: .find($1, in: $0)))
  }

  static let conversationMarkAsUnread = CallShape(conversation) { .of($0, .markAsUnread) }

  static let conversationMarkAllAsRead = CallShape { .chat(.markAllAsRead) }

  static let conversationMarkAsTyping = CallShape(conversation) { .of($0, .markAsTyping) }

  static let conversationStartTyping = CallShape(conversation) { .of($0, .startTyping) }

  static let conversationStopTyping = CallShape(conversation) { .of($0, .stopTyping) }

  /// The parameter that most methods begin with.
  static let conversation = required("conversation", Read.conversation)
}

extension ClientRequest {
  /// A call on a conversation.
  static func of(_ conversation: ConversationID, _ operation: ConversationOperation) -> ClientRequest {
    .chat(.inConversation(conversation, operation))
  }
}

extension ConversationPatch {
  fileprivate init(
    _ subject: FieldPatch<String>, _ photoUrl: FieldPatch<String>, _ welcomeMessages: FieldPatch<[String]>, _ custom: CustomPatch,
    _ own: ParticipantPatch
  ) {
    self.init()
    self.subject = subject
    self.photoUrl = photoUrl
    self.welcomeMessages = welcomeMessages
    self.custom = custom
    self.own = own
  }
}
