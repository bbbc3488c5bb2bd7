import ChatModel

/// Who wrote a message.
public enum MessageType: String, Hashable, Sendable, CaseIterable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case UserMessage
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case SystemMessage

  init(_ type: ChatModel.MessageType) {
    switch type {
    case .user: self = .UserMessage
    case .system: self = .SystemMessage
    }
  }
}

/// Which way a message came in.
public enum MessageOrigin: String, Hashable, Sendable, CaseIterable {
  case web, rest, `import`, bot

  init(_ origin: ChatModel.MessageOrigin) {
    switch origin {
    case .web: self = .web
    case .rest: self = .rest
    case .import: self = .import
    case .bot: self = .bot
    }
  }
}

/// A message, with its sender as they are now.
public struct MessageSnapshot: Hashable, Sendable {
  /// Made by the gateway; sorts as text in the conversation's order.
  public let id: String
  /// The id of the conversation.
  public let conversation: String
  public let type: MessageType
  /// Nil exactly for system messages.
  public let sender: UserSnapshot?
  public let custom: [String: String]
  /// Unix milliseconds; never decreases in a conversation.
  public let createdAt: Int64
  public let editedAt: Int64?
  /// What it answers; nil once that is deleted.
  public let referencedMessage: ReferencedMessageSnapshot?
  public let origin: MessageOrigin
  /// The text without markup, or what ``CustomPayloads`` made of it.
  public let plaintext: String
  public let content: [ContentBlock]
  /// In the order in which each emoji came first.
  public let reactions: [ReactionSnapshot]
  /// The body, where ``CustomPayloads`` did not know its format.
  public let unknownPayload: AnyJSON?

  init(_ message: ChatModel.MessageSnapshot, _ translator: PayloadTranslator?) {
    id = message.id.text
    conversation = message.conversation.text
    type = MessageType(message.type)
    sender = message.sender.map(UserSnapshot.init)
    custom = message.custom.dictionary
    createdAt = message.createdAt
    editedAt = message.editedAt
    referencedMessage = message.referencedMessage.map { ReferencedMessageSnapshot($0, translator) }
    origin = MessageOrigin(message.origin)
    let body = MessageBody(message.content, in: message.conversation, translator)
    plaintext = body.plaintext
    content = body.content
    reactions = message.reactions.map(ReactionSnapshot.init)
    unknownPayload = body.unknownPayload
  }
}

/// A message that another one answers: with an id in place of what it answered itself.
public struct ReferencedMessageSnapshot: Hashable, Sendable {
  public let id: String
  public let conversation: String
  public let type: MessageType
  public let sender: UserSnapshot?
  public let custom: [String: String]
  public let createdAt: Int64
  public let editedAt: Int64?
  public let referencedMessageId: String?
  public let origin: MessageOrigin
  public let plaintext: String
  public let content: [ContentBlock]
  /// In the order in which each emoji came first.
  public let reactions: [ReactionSnapshot]

  init(_ message: ChatModel.ReferencedMessageSnapshot, _ translator: PayloadTranslator?) {
    id = message.id.text
    conversation = message.conversation.text
    type = MessageType(message.type)
    sender = message.sender.map(UserSnapshot.init)
    custom = message.custom.dictionary
    createdAt = message.createdAt
    editedAt = message.editedAt
    referencedMessageId = message.referencedMessageId?.text
    origin = MessageOrigin(message.origin)
    let body = MessageBody(message.content, in: message.conversation, translator)
    plaintext = body.plaintext
    content = body.content
    reactions = message.reactions.map(ReactionSnapshot.init)
  }
}

/// How many reacted to a message with one emoji.
public struct ReactionSnapshot: Hashable, Sendable {
  /// An emoji in its fully-qualified form, or `:name:`.
  public let emoji: String
  public let count: Int
  public let currentUserReacted: Bool

  init(_ reaction: ChatModel.ReactionSnapshot) {
    emoji = reaction.emoji.text
    count = reaction.count
    currentUserReacted = reaction.currentUserReacted
  }
}

/// A message's body after the payloads of one's own were asked.
private struct MessageBody {
  var plaintext: String
  var content: [ContentBlock]
  var unknownPayload: AnyJSON?

  init(_ content: [ChatModel.ContentBlock], in conversation: ConversationID, _ translator: PayloadTranslator?) {
    plaintext = content.plaintext
    self.content = content.map(ContentBlock.init)
    switch translator?.incoming(plaintext, in: conversation.text) {
    case .text(let text)?:
      guard text != plaintext else { return }
      plaintext = text
      self.content = [.text(TextBlock(children: [.text(text)]))]
    case .unknown(let body)?: unknownPayload = body
    case nil: break
    }
  }
}
