import ChatModel

/// A user's chat.
public protocol Chat: AnyObject, Sendable {
  /// What it was made with.
  var chatConfiguration: ChatConfiguration { get }
  /// The current user; fails until there was a session.
  var currentUser: UserRef { get throws(ChatError) }
  /// Whom the current user does not want to see.
  var mutedUsersManager: MutedUsersManager { get }
  /// Whether there is no connection though there should be one.
  var isReconnecting: Bool { get }

  /// Connects, and returns when there is a session of the current user; fails with the first attempt that does, while others follow.
  @discardableResult
  func initialize() async throws(ChatError) -> Self

  /// A reference to a user.
  func user(id: String) -> UserRef
  /// A reference to a conversation.
  func conversation(id: String) -> ConversationRef
  /// Makes a conversation whose id the gateway draws, and joins it.
  func createConversation(
    type: ChannelType?, access: ConversationAccess?, custom: [String: String]?, notify: NotificationSettings?, photoUrl: String?,
    subject: String?, welcomeMessages: [String]?
  ) async throws(ChatError) -> ConversationRef
  /// Gets or makes the conversation of the current user with another one.
  func createDirectConversation(user: String) async throws(ChatError) -> ConversationRef
  /// Marks all conversations of the current user as read; says how many were not.
  func markAllAsRead() async throws(ChatError) -> Int
  /// Lets the current user be told of messages on the device of ``ChatConfiguration/pushNotificationsConfig``.
  func registerPushDevice() async throws(ChatError)
  /// Ends that.
  func unregisterPushDevice() async throws(ChatError)
  /// Watches the current user's conversations.
  func subscribeConversations(
    onSnapshot: (@Sendable (_ snapshot: [ConversationSnapshot], _ loadedAll: Bool) -> Void)?
  ) -> ConversationListSubscription

  /// Calls a closure whenever the connection changes, until the handle is closed or released.
  func addConnectionStatusListener(_ listener: @escaping @Sendable (ConnectionStatus) -> Void) -> any AutoCloseable
  /// Calls a closure, once, when the chat cannot go on, as with a token that is refused.
  func onError(_ handler: @escaping @Sendable (ChatError) -> Void) -> any AutoCloseable
  /// Pauses all subscriptions and keeps what they show; calls still work. Returns at once.
  func disconnectSubscriptions()
  /// Resumes them where they were. Returns at once.
  func reconnectSubscriptions()
  /// Ends everything; whoever waits gets an error, and so does every use from now on.
  func destroy()
}

/// The chat: keep it, for it ends when nobody does.
@dynamicMemberLookup
public final class ChatImpl: Chat {
  let core: ChatCore

  /// Makes a chat over a transport.
  package init(chatConfiguration: ChatConfiguration, transport: any ChatTransport) {
    core = ChatCore(chatConfiguration, transport)
  }

  deinit { core.destroy() }

  public var chatConfiguration: ChatConfiguration { core.configuration }

  /// A value of the configuration, as `chat.storeUserActivityInterval`.
  public subscript<Value>(dynamicMember member: KeyPath<ChatConfiguration, Value>) -> Value { core.configuration[keyPath: member] }

  public var currentUser: UserRef {
    get throws(ChatError) { UserRef(id: try core.currentUser().text, chat: core) }
  }

  public var mutedUsersManager: MutedUsersManager { MutedUsersManager(chat: core) }

  public var isReconnecting: Bool { core.isReconnecting }

  @discardableResult
  public func initialize() async throws(ChatError) -> ChatImpl {
    try await core.start()
    return self
  }

  public func user(id: String) -> UserRef { UserRef(id: id, chat: core) }

  public func conversation(id: String) -> ConversationRef { ConversationRef(id: id, chat: core) }

  public func createConversation(
    type: ChannelType? = nil, access: ConversationAccess? = nil, custom: [String: String]? = nil, notify: NotificationSettings? = nil,
    photoUrl: String? = nil, subject: String? = nil, welcomeMessages: [String]? = nil
  ) async throws(ChatError) -> ConversationRef {
    let fields = ConversationFields(
      subject: subject, photoUrl: photoUrl, welcomeMessages: welcomeMessages, custom: custom, access: access, notify: notify)
    return try await core.create(nil, type: type, with: nil, fields)
  }

  public func createDirectConversation(user: String) async throws(ChatError) -> ConversationRef {
    try await core.create(nil, type: .direct, with: user, ConversationFields())
  }

  public func markAllAsRead() async throws(ChatError) -> Int {
    guard case .count(let count) = try await core.call(.operation(.markAllAsRead)) else { throw .unexpectedReply }
    return count
  }

  public func registerPushDevice() async throws(ChatError) {
    let push = core.configuration.pushNotificationsConfig
    let isApple = push.deviceGateway != .fcm
    let device = PushDevice(
      token: try deviceToken(), gateway: push.deviceGateway.model, topic: isApple ? push.apnsTopic : nil,
      environment: isApple ? push.apnsEnvironment.model : nil)
    _ = try await core.call(.operation(.onSelf(.registerDevice(device))))
  }

  public func unregisterPushDevice() async throws(ChatError) {
    _ = try await core.call(.operation(.onSelf(.unregisterDevice(try deviceToken()))))
  }

  private func deviceToken() throws(ChatError) -> String {
    guard let token = core.configuration.pushNotificationsConfig.deviceToken, !token.isEmpty else {
      throw .configuration("deviceToken", "Device Token has to be defined in Chat pushNotifications config.")
    }
    return token
  }

  public func subscribeConversations(
    onSnapshot: (@Sendable (_ snapshot: [ConversationSnapshot], _ loadedAll: Bool) -> Void)? = nil
  ) -> ConversationListSubscription {
    var tell: (@Sendable (ConversationListSubscriptionState) -> Void)?
    if let onSnapshot { tell = { if case .active(let list, let loadedAll) = $0 { onSnapshot(list, loadedAll) } } }
    // A label of its own for each: windows grow apart.
    return core.subscribe({ .success(.conversations(label: "\($0)")) }, tell)
  }

  public func addConnectionStatusListener(_ listener: @escaping @Sendable (ConnectionStatus) -> Void) -> any AutoCloseable {
    core.listen(.status(listener))
  }

  public func onError(_ handler: @escaping @Sendable (ChatError) -> Void) -> any AutoCloseable { core.listen(.failure(handler)) }

  public func disconnectSubscriptions() { core.pause() }

  public func reconnectSubscriptions() { core.resume() }

  public func destroy() { core.destroy() }
}
