import ChatModel

extension CallShape {
  static let conversationSend = CallShape(
    conversation, optional("text", ReadContent.text), optional("content", ReadContent.blocks),
    optional("referencedMessage", Read.string), optional("custom", ReadCustom.fields),
    optional("clientMessageId", Read.clientMessageId)
  ) { (conversation, text, content, referenced, custom, clientMessageId) throws(ChatError) in
    let message = OutgoingMessage(
      content: try ReadContent.body(text: text, content: content), referenced: .find(referenced, in: conversation),
      custom: custom ?? CustomFields(), clientMessageId: clientMessageId)
    return .of(conversation, .send(message))
  }

  static let conversationHistory = CallShape(
    conversation, optional("before", Read.string), optional("after", Read.string), optional("limit", Read.historyLimit)
  ) { (conversation, before, after, limit) throws(ChatError) in
    let start: HistoryRange.Start
    switch (MessageID.find(before, in: conversation), MessageID.find(after, in: conversation)) {
    case (nil, nil): start = .newest
    case (let id?, nil): start = .before(id)
    case (nil, let id?): start = .after(id)
    case (_?, _?): throw .invalid("after", "and before must not both be there")
    }
    return .of(conversation, .history(HistoryRange(start: start, limit: limit ?? CallLimits.defaultHistoryLimit)))
  }

  static let messageGet = CallShape(conversation, message) { .of($0, .getMessage(.find($1, in: $0))) }

  static let messageThread = CallShape(conversation, message) { (conversation, message) throws(ChatError) in
    // PubNub's sentence.
    guard let root = ThreadRoot(.find(message, in: conversation), in: conversation) else {
      throw ChatError(.forbidden, "Only one level of thread nesting is allowed.", field: "conversation")
    }
    return .of(root.thread, .getThread)
  }

  static let messageDelete = CallShape(conversation, message) { .of($0, .deleteMessage(.find($1, in: $0))) }

  static let messageEdit = CallShape(
    conversation, message, optional("text", ReadContent.text), optional("content", ReadContent.blocks), changedCustom
  ) { (conversation, message, text, content, custom) throws(ChatError) in
    let edit = MessageEdit(content: try ReadContent.change(text: text, content: content), custom: custom)
    guard edit != MessageEdit() else { throw .invalid("text", "or content or custom must be there") }
    return .of(conversation, .editMessage(.find(message, in: conversation), edit))
  }

  static let messageDeleteFields = CallShape(conversation, message, required("fields", ReadLists.messageFields)) {
    .of($0, .deleteMessageFields(.find($1, in: $0), $2))
  }

  static let messageAddReaction = CallShape(conversation, message, emoji) { .of($0, .addReaction(.find($1, in: $0), $2)) }

  static let messageRemoveReaction = CallShape(conversation, message, emoji) { .of($0, .removeReaction(.find($1, in: $0), $2)) }

  static let conversationPin = CallShape(conversation, message) { .of($0, .pin(.find($1, in: $0))) }

  static let conversationUnpin = CallShape(conversation) { .of($0, .unpin) }

  private static let emoji = required("emoji", Read.emoji)

  /// The id of a message, which only the conversation can tell to be one.
  static let message = required("message", Read.string)
}

extension MessageID {
  /// The message with this id, or one that is never there: what that means is the operation's to say.
  static func find(_ text: String, in conversation: ConversationID) -> MessageID {
    MessageID(text, in: conversation) ?? .unknown(text)
  }

  /// The same for an id that may be absent.
  static func find(_ text: String?, in conversation: ConversationID) -> MessageID? {
    text.map { find($0, in: conversation) }
  }
}
