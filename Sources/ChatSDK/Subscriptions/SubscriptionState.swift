import ChatModel

/// The states that all subscriptions have.
public protocol SubscriptionState: Hashable, Sendable {
  /// Nothing came yet.
  static var pending: Self { get }
  /// Somebody called `unsubscribe()`.
  static var unsubscribed: Self { get }
  /// It could not go on.
  static func error(_ error: ChatError) -> Self
  /// `pending`, `active`, `unsubscribed` or `error`.
  var type: String { get }
}

/// What a state makes of a topic's snapshot.
protocol SnapshotState: SubscriptionState {
  /// The active state, or nil where the snapshot is of another kind of topic.
  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self?
}

/// A state whose snapshot is a list that grows.
public protocol ListSubscriptionState: SubscriptionState {}

/// The states of a ``ConversationSubscription``.
public enum ConversationSubscriptionState: SubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Nil: the current user is no participant, or there is no such conversation.
  case active(latestSnapshot: ConversationSnapshot?)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .conversation(let conversation) = snapshot else { return nil }
    return .active(latestSnapshot: conversation.map { ConversationSnapshot($0, translator) })
  }
}

/// The states of a ``ConversationListSubscription``.
public enum ConversationListSubscriptionState: ListSubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Last active first; `loadedAll` says that these are all conversations of the current user.
  case active(latestSnapshot: [ConversationSnapshot], loadedAll: Bool)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .conversations(let list, let loadedAll) = snapshot else { return nil }
    return .active(latestSnapshot: list.map { ConversationSnapshot($0, translator) }, loadedAll: loadedAll)
  }
}

/// The states of a ``MessageSubscription``.
public enum MessageSubscriptionState: ListSubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Newest first; nil: the current user is no participant, or there is no such conversation.
  case active(latestSnapshot: [MessageSnapshot]?, loadedAll: Bool)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .messages(let messages, let loadedAll) = snapshot else { return nil }
    return .active(latestSnapshot: messages?.map { MessageSnapshot($0, translator) }, loadedAll: loadedAll)
  }
}

/// The states of a ``ParticipantSubscription``.
public enum ParticipantSubscriptionState: ListSubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Last joined first; nil: the current user is no participant, or there is no such conversation.
  case active(latestSnapshot: [ParticipantSnapshot]?, loadedAll: Bool)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .participants(let participants, let loadedAll) = snapshot else { return nil }
    return .active(latestSnapshot: participants?.map(ParticipantSnapshot.init), loadedAll: loadedAll)
  }
}

/// The states of a ``TypingSubscription``.
public enum TypingSubscriptionState: SubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Nil: the current user is no participant, or there is no such conversation.
  case active(latestSnapshot: TypingSnapshot?)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .typing(let typing) = snapshot else { return nil }
    return .active(latestSnapshot: typing.map(TypingSnapshot.init))
  }
}

/// The states of a ``UserSubscription``.
public enum UserSubscriptionState: SubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Nil: there is no such user.
  case active(latestSnapshot: UserSnapshot?)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .user(let user) = snapshot else { return nil }
    return .active(latestSnapshot: user.map(UserSnapshot.init))
  }
}

/// The states of a ``UserOnlineSubscription``.
public enum UserOnlineSubscriptionState: SubscriptionState, SnapshotState {
  case pending, unsubscribed
  /// Nil: there is no such user.
  case active(latestSnapshot: UserOnlineSnapshot?)
  case error(ChatError)

  public var type: String {
    switch self {
    case .pending: "pending"
    case .active: "active"
    case .unsubscribed: "unsubscribed"
    case .error: "error"
    }
  }

  static func active(_ snapshot: TopicSnapshot, _ translator: PayloadTranslator?) -> Self? {
    guard case .online(let online) = snapshot else { return nil }
    return .active(latestSnapshot: online.map(UserOnlineSnapshot.init))
  }
}
