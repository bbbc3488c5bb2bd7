import ChatModel

/// What a chat knows of itself; it lies behind its lock.
struct ChatState {
  enum Phase {
    /// `initialize()` was not called. Next: `open`, `destroyed`.
    case fresh
    /// The transport was opened. Next: `failed`, `destroyed`.
    case open
    /// The transport can do nothing any more. Next: `destroyed`.
    case failed(ChatError)
    /// Final.
    case destroyed
  }

  /// A topic on the wire with those who watch it.
  struct Feed {
    var machine: TopicFeed
    var subscribers: [any TopicSubscriber] = []
    /// The numbers of those who wait for a page.
    var pages: [UInt64] = []
  }

  enum Listener {
    case status(@Sendable (ConnectionStatus) -> Void)
    case failure(@Sendable (ChatError) -> Void)
  }

  var phase = Phase.fresh
  var isConnected = false
  var isPaused = false
  var user: ChatModel.UserSnapshot?
  var hasMadeUser = false
  var lastID: UInt64 = 0
  var starts: [ChatCore.Waiter<Void>] = []
  var waiters: [UInt64: ChatCore.Waiter<ChatReply>] = [:]
  var feeds: [Topic: Feed] = [:]
  var listeners: [UInt64: Listener] = [:]
  var types: [ConversationID: ConversationType] = [:]
  var paces: [ConversationID: SendPace] = [:]
  /// Whom each new session is told to hide.
  var muted: Set<UserID> = []
  var typingRounds: [ConversationID: UInt64] = [:]
}
