import ChatModel

/// A reference to a message.
public struct MessageRef: Hashable, Sendable {
  /// The id of the message.
  public let id: String
  /// The id of its conversation.
  public let conversationId: String
  private let chat: ChatCore

  init(id: String, conversationId: String, chat: ChatCore) {
    self.id = id
    self.conversationId = conversationId
    self.chat = chat
  }

  public static func == (left: MessageRef, right: MessageRef) -> Bool {
    left.id == right.id && left.conversationId == right.conversationId && left.chat === right.chat
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(id)
    hasher.combine(conversationId)
  }

  /// The message; nil where there is none, or the current user is no participant.
  public func get() async throws(ChatError) -> MessageSnapshot? {
    guard case .message(let message) = try await call({ .getMessage($0) }) else { throw .unexpectedReply }
    return message.map { MessageSnapshot($0, chat.translator) }
  }

  /// Replaces the text, merges `custom` key by key, or both.
  public func edit(text: String? = nil, custom: [String: String?]? = nil) async throws(ChatError) {
    let patch = CustomPatch(custom)
    guard let text else { return _ = try await call { .editMessage($0, MessageEdit(custom: patch)) } }
    let conversation = try chat.conversation(conversationId)
    let message = chat.message(id, in: conversation)
    switch try chat.translator?.outgoing(text, in: conversationId) ?? .text(text) {
    case .text(let text): _ = try await chat.call(.editText(conversation, message, text, custom: patch))
    case .literal(let body): _ = try await call { .editMessage($0, MessageEdit(content: [.text([.plain(body)])], custom: patch)) }
    }
  }

  /// Replaces the body.
  public func edit(content: [any SendContentBlock], custom: [String: String?]? = nil) async throws(ChatError) {
    let edit = MessageEdit(content: try content.models(), custom: CustomPatch(custom))
    _ = try await call { .editMessage($0, edit) }
  }

  /// Removes the message; one that is gone already is no error.
  public func delete() async throws(ChatError) { _ = try await call { .deleteMessage($0) } }

  /// Resets `custom` or `custom.KEY`.
  public func deleteFields(_ fields: String...) async throws(ChatError) {
    var all: [MessageField] = []
    for name in fields { all.append(name == "custom" ? .custom : .customKey(try name.customKey("custom or custom.KEY"))) }
    _ = try await call { [all] in .deleteMessageFields($0, all) }
  }

  /// A reference to a reaction of the current user.
  public func reaction(_ emoji: String) -> ReactionRef {
    ReactionRef(emoji: emoji, messageId: id, conversationId: conversationId, chat: chat)
  }

  /// Pins the message, in place of the one that was pinned.
  public func pin() async throws(ChatError) { _ = try await call { .pin($0) } }

  private func call(_ operation: (MessageID) -> ConversationOperation) async throws(ChatError) -> ChatReply {
    let conversation = try chat.conversation(conversationId)
    return try await chat.call(conversationId, operation(chat.message(id, in: conversation)))
  }
}
