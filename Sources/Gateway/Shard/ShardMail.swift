import ChatEngine
import ChatModel
import Transport

/// What connections, other shards and the store tell a shard.
enum ShardMail: Sendable {
  // From connections.
  case call(ConversationID, ConversationOperation, Caller, CallID)
  case cancel(ConversationID, CallID)
  /// The connection of a send ended; it is not sent if it waits for its turn.
  case leaveQueue(ConversationID, CallID)
  /// The gateway is about to stop.
  case stopping
  case userCall(UserID, UserOperation, Caller, CallID)
  case markAllAsRead(Caller, CallID)
  case subscribe(Topic, SubscriberID, Caller, from: WindowStart?, filter: ConversationFilter?)
  case unsubscribe(Topic, SubscriberID, viewer: UserID)
  /// A subscriber does not see these users from now on.
  case muted(Topic, SubscriberID, viewer: UserID, Set<UserID>)
  case loadMore(Topic, SubscriberID, viewer: UserID, count: Int?, CallID)
  case open(SessionRequest, CallID)
  case persist(UserID, CallID)
  case revoke(UserID, CallID)
  case listSessions(UserID, CallID)
  case refresh(UserID, issuedAt: Int64?, expiresAt: Int64?, CallID)
  case closed(UserID, Endpoint)

  // From the configuration.
  case rolesChanged(Set<String>, moderating: Set<String>)

  // From the store.
  case answered(MachineKey, Result<[StoreAnswer], StoreError>)
  case committed(MachineKey, StoreError?)
  case looked(MachineKey, Result<[StoreAnswer], StoreError>)
  case readAside(SideRead, Result<[StoreAnswer], StoreError>)
  case unreadConversations(Caller, CallID, Result<[StoreAnswer], StoreError>)

  // From other shards.
  case userChanged(UserRecord)
  case userWentOffline(UserID)
  case presenceChanged(UserID, isOnline: Bool)
  case listWatched(ListName, ListWatch, incarnation: UInt64, notify: Int?)
  case listNoted(ListName, incarnation: UInt64)
  case listChanged(UserID, ConversationID, revision: Int64, ConversationSnapshot?)
  case listTouched(UserID)
  case invitationsChanged(UserID)
  case guestWatched(GuestSights.Pair, isWatching: Bool, notify: Int)
  case guestNoted(GuestSights.Pair)
  case membersMoved([UserID])
  case markedAsRead(batch: UInt64, ChatError?)
  case threadNews(of: ConversationID, ThreadNews)
  case threadChanged(ThreadRoot, ThreadSummary)
}

extension ShardMail {
  /// Why the store failed, if that is what the mail says.
  var storeError: StoreError? {
    switch self {
    case .answered(_, .failure(let error)), .looked(_, .failure(let error)), .committed(_, let error?),
      .readAside(_, .failure(let error)), .unreadConversations(_, _, .failure(let error)):
      error
    default: nil
    }
  }
}

/// Names a machine of a shard, for what the store answers.
enum MachineKey: Hashable, Sendable {
  case conversation(ConversationID, incarnation: UInt64)
  case user(UserID, incarnation: UInt64)
  case list(ListName, incarnation: UInt64)
  case invitations(UserID, incarnation: UInt64)
}

/// What shards tell the connections of a loop: one entry for each loop and event.
enum SessionMail: Sendable {
  case reply(CallID, Result<ChatReply, ChatError>)
  /// One encoded frame for many subscribers.
  case snapshot(SharedSnapshot, to: [SubscriberID])
  case admitted(CallID, UserRecord)
  case refused(CallID, ChatError)
  case sessions(CallID, [SessionRecord])
  case revoked([Endpoint])
  /// Whom the user of these connections does not see from now on.
  case muted([Endpoint], Set<UserID>)
}

/// A snapshot of a topic as a whole WebSocket frame, encoded once and shared by all who see the same.
struct SharedSnapshot: Sendable {
  /// The topic's name on the wire.
  let topic: String
  /// Whether there is nothing to see.
  let isNull: Bool
  let frame: SharedFrame
  /// Tells frames apart: equal for equal bytes, with a key of this process.
  let hash: UInt64

  /// Makes the snapshot of an encoded text, which is compressed where `mayBeCompressed`.
  init(topic: String, isNull: Bool, text: [UInt8], mayBeCompressed: Bool = false) {
    self.topic = topic
    self.isNull = isNull
    frame = SharedFrame(text: text, mayBeCompressed: mayBeCompressed)
    var hasher = Hasher()
    text.withUnsafeBytes { hasher.combine(bytes: $0) }
    hash = UInt64(truncatingIfNeeded: hasher.finalize())
  }
}

/// Who lives on which loop.
struct LoopDirectory: Sendable {
  /// The inbox of each loop's shard, by the loop's number.
  let shards: [Mailbox<ShardMail>]
  /// The inbox of each loop's connections, by the loop's number.
  let sessions: [Mailbox<SessionMail>]

  /// The shard of a conversation; a thread lives with the conversation of its root, so that both hear of each other in order.
  func shard(of conversation: ConversationID) -> Mailbox<ShardMail> {
    shard(of: (ThreadRoot(of: conversation)?.conversation ?? conversation).text)
  }

  /// The shard of a user, with their list of conversations.
  func shard(of user: UserID) -> Mailbox<ShardMail> { shard(of: user.text) }

  /// The shard that owns a topic; lists live with their user.
  func shard(of topic: Topic, viewer: UserID) -> Mailbox<ShardMail> {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id): shard(of: id)
    case .user(let id), .online(let id): shard(of: id)
    case .conversations, .invitations: shard(of: viewer)
    }
  }

  /// Where the connection of an endpoint lives; nil for an endpoint that is none.
  func sessions(of endpoint: Endpoint) -> Mailbox<SessionMail>? {
    let index = Int(endpoint.loop)
    return sessions.indices.contains(index) ? sessions[index] : nil
  }

  private func shard(of text: String) -> Mailbox<ShardMail> {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return shards[Int(hash >> 33) % shards.count]
  }
}
