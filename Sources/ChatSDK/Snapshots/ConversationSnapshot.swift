import ChatModel

/// A conversation as the current user sees it.
public struct ConversationSnapshot: Hashable, Sendable {
  public let id: String
  public let type: ChannelType
  public let subject: String?
  public let photoUrl: String?
  public let welcomeMessages: [String]
  public let custom: [String: String]
  /// Unix milliseconds.
  public let createdAt: Int64
  /// When the current user joined, Unix milliseconds.
  public let joinedAt: Int64
  public let access: ConversationAccess
  public let notify: NotificationSettings
  public let lastMessage: MessageSnapshot?
  /// Messages of others that are not read: exact up to 1,000.
  public let unreadMessageCount: Int
  public let isUnread: Bool
  public let readUntil: Int64
  /// The lowest `readUntil` of all participants; nil where receipts are off.
  public let everyoneReadUntil: Int64?
  public let pinnedMessage: MessageSnapshot?

  init(_ conversation: ChatModel.ConversationSnapshot, _ translator: PayloadTranslator?) {
    id = conversation.id.text
    type = ChannelType(conversation.type)
    subject = conversation.subject
    photoUrl = conversation.photoUrl
    welcomeMessages = conversation.welcomeMessages
    custom = conversation.custom.dictionary
    createdAt = conversation.createdAt
    joinedAt = conversation.joinedAt
    access = ConversationAccess(conversation.access)
    notify = NotificationSettings(conversation.notify)
    lastMessage = conversation.lastMessage.map { MessageSnapshot($0, translator) }
    unreadMessageCount = conversation.unreadMessageCount
    isUnread = conversation.isUnread
    readUntil = conversation.readUntil
    everyoneReadUntil = conversation.everyoneReadUntil
    pinnedMessage = conversation.pinnedMessage.map { MessageSnapshot($0, translator) }
  }
}

extension ChannelType {
  init(_ type: ConversationType) {
    switch type {
    case .direct: self = .direct
    case .group: self = .group
    case .public: self = .public
    case .unknown: self = .unknown
    }
  }

  var model: ConversationType {
    switch self {
    case .direct: .direct
    case .group: .group
    case .public: .public
    case .unknown: .unknown
    }
  }
}
