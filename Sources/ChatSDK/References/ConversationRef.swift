import ChatModel

/// A reference to a conversation: nothing is asked until one of its methods is called.
public struct ConversationRef: Hashable, Sendable {
  /// The id of the conversation.
  public let id: String
  private let chat: ChatCore

  init(id: String, chat: ChatCore) {
    self.id = id
    self.chat = chat
  }

  public static func == (left: ConversationRef, right: ConversationRef) -> Bool { left.id == right.id && left.chat === right.chat }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }

  // MARK: - The conversation

  /// Makes the conversation where there is none, and joins it.
  ///
  /// The fields count only where the conversation, or the place in it, is new. `type` is `.group` unless it is given.
  public func createIfNotExists(
    access: ConversationAccess? = nil, custom: [String: String]? = nil, notify: NotificationSettings? = nil, photoUrl: String? = nil,
    subject: String? = nil, welcomeMessages: [String]? = nil, type: ChannelType? = nil
  ) async throws(ChatError) {
    let fields = ConversationFields(
      subject: subject, photoUrl: photoUrl, welcomeMessages: welcomeMessages, custom: custom, access: access, notify: notify)
    _ = try await chat.create(id, type: type, with: nil, fields)
  }

  /// Changes the conversation, and joins it; makes it where there is none.
  ///
  /// Nil leaves a field as it is; ``deleteFields(_:)`` resets one. `custom` merges key by key, and nil removes a key.
  public func set(
    subject: String? = nil, photoUrl: String? = nil, welcomeMessages: [String]? = nil, custom: [String: String?]? = nil,
    access: ConversationAccess? = nil, notify: NotificationSettings? = nil
  ) async throws(ChatError) {
    var fields = ConversationFields(
      subject: subject, photoUrl: photoUrl, welcomeMessages: welcomeMessages, custom: nil, access: access, notify: notify)
    fields.custom = custom
    try await chat.call(id, .set(fields.patch))
  }

  /// Resets `subject`, `photoUrl`, `welcomeMessages`, `custom`, `custom.KEY`, `access` or `notify`.
  public func deleteFields(_ fields: String...) async throws(ChatError) {
    var all: [ConversationField] = []
    for name in fields {
      switch name {
      case "subject": all.append(.subject)
      case "photoUrl": all.append(.photoUrl)
      case "welcomeMessages": all.append(.welcomeMessages)
      case "custom": all.append(.custom)
      case "access": all.append(.access)
      case "notify": all.append(.notify)
      default: all.append(.customKey(try name.customKey("subject, photoUrl, welcomeMessages, custom, custom.KEY, access or notify")))
      }
    }
    try await chat.call(id, .deleteFields(all))
  }

  /// The conversation as the current user sees it; nil where they are no participant, or there is none.
  public func get() async throws(ChatError) -> ConversationSnapshot? {
    guard case .conversation(let conversation) = try await chat.call(id, .get) else { throw .unexpectedReply }
    return conversation.map { ConversationSnapshot($0, chat.translator) }
  }

  /// Removes the conversation with all that is in it; needs a permission.
  public func delete() async throws(ChatError) { try await chat.call(id, .delete) }

  // MARK: - Reading and typing

  /// Marks everything as read, or what lies before and at a message.
  public func markAsRead(upTo message: String? = nil) async throws(ChatError) {
    let conversation = try chat.conversation(id)
    try await chat.call(id, .markAsRead(upTo: message.map { chat.message($0, in: conversation) }))
  }

  /// Marks the conversation as unread.
  public func markAsUnread() async throws(ChatError) { try await chat.call(id, .markAsUnread) }

  /// Shows the current user as typing for 10 seconds, or until they send; call again to prolong it.
  public func markAsTyping() async throws(ChatError) { try await chat.call(id, .markAsTyping) }

  /// Shows the current user as typing until ``stopTyping()``, at most for ``ChatConfiguration/typingTimeout`` seconds.
  public func startTyping() async throws(ChatError) {
    let conversation = try chat.conversation(id)
    try await chat.call(id, .startTyping)
    chat.typingStarted(in: conversation)
  }

  /// Ends what ``startTyping()`` began.
  public func stopTyping() async throws(ChatError) {
    chat.typingStopped(in: try chat.conversation(id))
    try await chat.call(id, .stopTyping)
  }

  // MARK: - Messages and participants

  /// A reference to a message of the conversation.
  public func message(id: String) -> MessageRef { MessageRef(id: id, conversationId: self.id, chat: chat) }

  /// A reference to a participant of the conversation.
  public func participant(user: String) -> ParticipantRef { ParticipantRef(userId: user, conversationId: id, chat: chat) }

  /// Sends a text with its markup; sent once, however often the connection is lost on the way.
  @discardableResult
  public func send(
    text: String, referencedMessage: String? = nil, custom: [String: String]? = nil
  ) async throws(ChatError) -> MessageRef {
    let conversation = try chat.conversation(id)
    var message = outgoing(referencedMessage, custom, in: conversation)
    try await chat.awaitTurn(in: conversation)
    switch try chat.translator?.outgoing(text, in: id) ?? .text(text) {
    case .text(let text): return try await send(.sendText(conversation, text, message))
    case .literal(let body):
      message.content = [.text([.plain(body)])]
      return try await send(.operation(.inConversation(conversation, .send(message))))
    }
  }

  /// Sends a body of one part.
  @discardableResult
  public func send(
    content: [any SendContentBlock], referencedMessage: String? = nil, custom: [String: String]? = nil
  ) async throws(ChatError) -> MessageRef {
    let conversation = try chat.conversation(id)
    var message = outgoing(referencedMessage, custom, in: conversation)
    message.content = try content.models()
    try await chat.awaitTurn(in: conversation)
    return try await send(.operation(.inConversation(conversation, .send(message))))
  }

  private func outgoing(_ referenced: String?, _ custom: [String: String]?, in conversation: ConversationID) -> OutgoingMessage {
    OutgoingMessage(
      content: [], referenced: referenced.map { chat.message($0, in: conversation) },
      custom: CustomFields((custom ?? [:]).map { ($0.key, $0.value) }), clientMessageId: ClientMessageID.draw())
  }

  private func send(_ call: ChatCall) async throws(ChatError) -> MessageRef {
    guard case .sent(let message, isDuplicate: _) = try await chat.call(call) else { throw .unexpectedReply }
    guard let message else { throw ChatError(.notFound, "The message was deleted since it was sent") }
    return self.message(id: message.id.text)
  }

  /// A page of the history, newest first, and whether nothing lies beyond it.
  public func history(
    before: String? = nil, after: String? = nil, limit: Int = 30
  ) async throws(ChatError) -> (messages: [MessageSnapshot], loadedAll: Bool) {
    let conversation = try chat.conversation(id)
    let start: HistoryRange.Start
    switch (before, after) {
    case (nil, nil): start = .newest
    case (let id?, nil): start = .before(chat.message(id, in: conversation))
    case (nil, let id?): start = .after(chat.message(id, in: conversation))
    case (_?, _?): throw .invalid("after", "and before must not both be there")
    }
    let reply = try await chat.call(id, .history(HistoryRange(start: start, limit: limit)))
    guard case .history(let messages, let loadedAll) = reply else { throw .unexpectedReply }
    return (messages.map { MessageSnapshot($0, chat.translator) }, loadedAll)
  }

  /// Takes the pinned message down; none is no error.
  public func unpinMessage() async throws(ChatError) { try await chat.call(id, .unpin) }

  // MARK: - Moderation and presence

  /// Bans a user, mutes them, or with neither lifts what was set; needs a permission.
  public func setRestrictions(user: String, ban: Bool = false, mute: Bool = false, reason: String? = nil) async throws(ChatError) {
    try await chat.call(id, .restrict(try chat.user(user), Restriction(isBanned: ban, isMuted: mute, reason: reason)))
  }

  /// Who is restricted, in the order of their ids, and whether these are the last; needs a permission.
  public func getRestrictions(
    limit: Int = 100, after user: String? = nil
  ) async throws(ChatError) -> (restrictions: [RestrictionSnapshot], loadedAll: Bool) {
    let range = UserRange(after: try chat.optionalUser(user, "after"), limit: limit)
    guard case .restrictions(let list, let loadedAll) = try await chat.call(id, .listRestrictions(range)) else { throw .unexpectedReply }
    return (list.map(RestrictionSnapshot.init), loadedAll)
  }

  /// Some of the participants who are online, in the order of their ids, and how many they are in all.
  public func whoIsPresent(
    limit: Int = 30, after user: String? = nil
  ) async throws(ChatError) -> (users: [UserSnapshot], count: Int, loadedAll: Bool) {
    let reply = try await chat.call(id, .here(limit: limit, after: try chat.optionalUser(user, "after")))
    guard case .present(let users, let count, let loadedAll) = reply else { throw .unexpectedReply }
    return (users.map(UserSnapshot.init), count, loadedAll)
  }

  // MARK: - Subscriptions

  /// Watches the conversation; the snapshot is nil while the current user is no participant.
  public func subscribe(
    onSnapshot: (@Sendable (_ snapshot: ConversationSnapshot?) -> Void)? = nil
  ) -> ConversationSubscription {
    var tell: (@Sendable (ConversationSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let snapshot) = $0 { onSnapshot(snapshot) } } }
    return chat.subscribe(topic { .conversation($0) }, tell)
  }

  /// Watches the messages: the 10 newest, all that come, and those that `loadMore` adds.
  public func subscribeMessages(
    onSnapshot: (@Sendable (_ snapshot: [MessageSnapshot]?, _ loadedAll: Bool) -> Void)? = nil
  ) -> MessageSubscription {
    var tell: (@Sendable (MessageSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let list, let loadedAll) = $0 { onSnapshot(list, loadedAll) } } }
    return chat.subscribe(topic { .messages($0) }, tell)
  }

  /// Watches the participants: the 10 who joined last, all who join, and those that `loadMore` adds.
  public func subscribeParticipants(
    onSnapshot: (@Sendable (_ snapshot: [ParticipantSnapshot]?, _ loadedAll: Bool) -> Void)? = nil
  ) -> ParticipantSubscription {
    var tell: (@Sendable (ParticipantSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let list, let loadedAll) = $0 { onSnapshot(list, loadedAll) } } }
    return chat.subscribe(topic { .participants($0) }, tell)
  }

  /// Watches who is typing, without the current user.
  public func subscribeTyping(onSnapshot: (@Sendable (_ snapshot: TypingSnapshot?) -> Void)? = nil) -> TypingSubscription {
    var tell: (@Sendable (TypingSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let snapshot) = $0 { onSnapshot(snapshot) } } }
    return chat.subscribe(topic { .typing($0) }, tell)
  }

  private func topic(_ make: @escaping (ConversationID) -> Topic) -> (UInt64) -> Result<Topic, ChatError> {
    { _ in Result { () throws(ChatError) in make(try chat.conversation(id)) } }
  }
}

extension [any SendContentBlock] {
  func models() throws(ChatError) -> [ChatModel.ContentBlock] {
    var models: [ChatModel.ContentBlock] = []
    for block in self { models.append(try block.contentBlock.model()) }
    return models
  }
}

extension String {
  /// The key in `custom.KEY`.
  func customKey(_ choices: String) throws(ChatError) -> String {
    let prefix = "custom."
    guard utf8.starts(with: prefix.utf8) else { throw .invalid("fields", "may hold only \(choices)") }
    return String(decoding: utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }
}

/// Makes ids that tell the sends of all clients apart.
enum ClientMessageID {
  /// Draws 24 letters: 120 bits.
  static func draw() -> String {
    let letters = Array("0123456789abcdefghijklmnopqrstuv".utf8)
    return String(decoding: (0..<24).map { _ in letters[Int.random(in: 0..<32)] }, as: UTF8.self)
  }
}
