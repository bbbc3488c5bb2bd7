import ChatModel

/// A subscription to something of the chat; independent of others to the same.
///
/// Its snapshots come until it ends; keep it only to ask for its state, for more, or for its end.
public struct Subscription<State: SubscriptionState>: Sendable {
  let record: SubscriptionRecord<State>

  /// The current state.
  public var state: State { record.state }

  /// Gives the first active state; fails where the subscription ended before.
  public var connected: Deferred<State, ChatError> { Deferred(record.connection) }

  /// Gives the final state, `unsubscribed` or `error`.
  public var terminated: Deferred<State, Never> { Deferred(record.termination) }

  /// Ends the subscription; nothing happens where it has ended.
  public func unsubscribe() { record.unsubscribe() }
}

extension Subscription where State: ListSubscriptionState {
  /// Shows more, and returns when they are there.
  ///
  /// Callers in parallel share one page; where all is loaded it returns at once.
  /// - Parameter count: How many more: of conversations 1 to 30 (20), of messages 1 to 100 (30), of participants 1 to 50 (10).
  public func loadMore(count: Int? = nil) async throws(ChatError) { try await record.loadMore(count) }
}

/// A subscription to one conversation.
public typealias ConversationSubscription = Subscription<ConversationSubscriptionState>
/// A subscription to the current user's conversations, last active first.
public typealias ConversationListSubscription = Subscription<ConversationListSubscriptionState>
/// A subscription to the messages of a conversation.
public typealias MessageSubscription = Subscription<MessageSubscriptionState>
/// A subscription to the participants of a conversation.
public typealias ParticipantSubscription = Subscription<ParticipantSubscriptionState>
/// A subscription to who is typing in a conversation.
public typealias TypingSubscription = Subscription<TypingSubscriptionState>
/// A subscription to a user.
public typealias UserSubscription = Subscription<UserSubscriptionState>
/// A subscription to whether a user is connected.
public typealias UserOnlineSubscription = Subscription<UserOnlineSubscriptionState>

/// A value that comes later.
public struct Deferred<Value: Sendable, Failure: Error>: Sendable {
  private let wait: @Sendable () async -> Result<Value, Failure>

  init(_ wait: @escaping @Sendable () async -> Result<Value, Failure>) { self.wait = wait }

  /// Waits for the value.
  public func `await`() async throws(Failure) -> Value { try await wait().get() }
}
