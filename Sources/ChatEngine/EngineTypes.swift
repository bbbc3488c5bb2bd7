package import ChatModel

/// One connection of a gateway, as the machines name it: the loop that owns it and its number there.
package struct Endpoint: Hashable, Sendable {
  package let loop: Int32
  package let connection: UInt64

  package init(loop: Int32, connection: UInt64) {
    self.loop = loop
    self.connection = connection
  }
}

/// A call that waits for its reply.
package struct CallID: Hashable, Sendable {
  package let endpoint: Endpoint
  package let serial: UInt64

  package init(endpoint: Endpoint, serial: UInt64) {
    self.endpoint = endpoint
    self.serial = serial
  }
}

/// One subscription of one connection; never used again, so that what belongs to an ended one is recognised.
package struct SubscriberID: Hashable, Sendable {
  package let endpoint: Endpoint
  package let serial: UInt64

  package init(endpoint: Endpoint, serial: UInt64) {
    self.endpoint = endpoint
    self.serial = serial
  }
}

/// What a machine is told with every event.
package struct Moment: Hashable, Sendable {
  /// The time of day, milliseconds since the Unix epoch; may jump.
  package var wall: Timestamp
  /// A clock that never goes back, in milliseconds; for leases.
  package var tick: UInt64
  /// The users who have a live list of conversations anywhere in this process.
  package var listUsers: Set<UserID>
  /// The users who have a live list anywhere that hides somebody.
  package var mutingListUsers: Set<UserID>
  /// The guests anywhere in this process who watch users, and the users whom they watch: where one of them comes or goes, a guest
  /// may see somebody or not any more.
  package var guestSightUsers: Set<UserID>
  /// The users who are online.
  package var onlineUsers: Set<UserID>
  /// The conversations of which threads are in memory.
  package var threadRoots: Set<ConversationID>

  package init(
    wall: Timestamp, tick: UInt64, listUsers: Set<UserID> = [], mutingListUsers: Set<UserID> = [], guestSightUsers: Set<UserID> = [],
    onlineUsers: Set<UserID> = [], threadRoots: Set<ConversationID> = []
  ) {
    self.wall = wall
    self.tick = tick
    self.listUsers = listUsers
    self.mutingListUsers = mutingListUsers
    self.guestSightUsers = guestSightUsers
    self.onlineUsers = onlineUsers
    self.threadRoots = threadRoots
  }
}

/// What the shell does for a machine.
///
/// Cases with snapshots are indirect: actions are gathered in arrays, and moving 600 bytes several times costs more than a box.
package enum EngineAction: Hashable, Sendable {
  /// Ask the store and come back with `answered`. At most one such question of a machine is open.
  case read([StoreQuery])
  /// Ask the store and reply with the page; the machine does not wait for it.
  case replyWithHistory(CallID, ConversationID, StoreQuery)
  /// Ask the store and reply with the reports; the machine does not wait for it.
  case replyWithReports(CallID, ConversationID, StoreQuery)
  /// Reply with the records of these users; the machine does not wait for it.
  indirect case replyWithPresent(CallID, PresentPage)
  /// Write and come back with `committed`.
  case commit(ChangeSet)
  indirect case reply(CallID, Result<ChatReply, ChatError>)
  /// Show a new snapshot of a topic to these subscribers, who all see the same.
  indirect case publish(Topic, TopicSnapshot, to: [SubscriberID])
  /// Tell the user's list: the conversation changed at a revision, or (nil) is no longer theirs.
  indirect case updateList(UserID, ConversationID, revision: Int64, ConversationSnapshot?)
  /// Tell the user's lists that hide somebody: something changed in one of the conversations.
  case touchList(UserID)
  /// Tell the lists of these users: what they are invited to changed.
  case invitationsChanged([UserID])
  /// Those of `Moment.guestSightUsers` who came into a conversation or left it: tell the machines of the users whom guests watch.
  case membersMoved([UserID])
  /// Tell the threads of a conversation that are in memory.
  case tellThreads(ConversationID, ThreadNews)
  /// Tell the conversation of a thread's root, where it is in memory, what the root shows of the thread.
  case tellRoot(ThreadRoot, ThreadSummary)
  /// Tell every machine of the process that a user changed.
  case announceUser(UserRecord)
  /// Call `timeReached` at this tick; replaces an earlier wish.
  case wake(at: UInt64)

  // Of users.

  /// The session may open; the user is as given.
  case admit(CallID, UserRecord)
  /// The session may not open.
  case refuseSession(CallID, ChatError)
  /// Reply with a user's sessions.
  case replyWithSessions(CallID, [SessionRecord])
  /// Tell these connections of their user whom they do not see from now on.
  case tellMuted([Endpoint], Set<UserID>)
  /// End these connections: the user was revoked.
  case endSessions([Endpoint])
  /// Tell every machine of the process that the user's last connection ended.
  case announceOffline(UserID)
  /// Tell every loop of the process that the user is online, or no more: `Moment.onlineUsers`.
  case announcePresence(UserID, isOnline: Bool)
  /// Reply with the conversations that the query finds; the machine does not wait for it.
  case replyWithConversations(CallID, StoreQuery)
  /// Tell every loop of the process that the user has a list of conversations, or no more, and come back with `loopsNoted`.
  case announceList(UserID, isLive: Bool)
  /// Tell every loop of the process that a guest watches the machine's user, or no more; when all know it, come back with
  /// `sightChanged`.
  case announceGuest(UserID, isWatching: Bool)
  /// Come back with `beginLook` when it is the machine's turn to ask which guests see its user, and with what the store says of them to
  /// `looked`.
  case wantLook
}

/// One open session of a user.
package struct SessionRecord: Hashable, Sendable {
  /// The session's name on the wire.
  package let session: String
  package let endpoint: Endpoint
  package let kind: Caller.Kind
  /// The role that rules the session.
  package let role: String
  package let openedAt: Timestamp
  /// Seconds since the epoch; nil when the session does not expire.
  package let expiresAt: Int64?

  package init(session: String, endpoint: Endpoint, kind: Caller.Kind, role: String, openedAt: Timestamp, expiresAt: Int64?) {
    self.session = session
    self.endpoint = endpoint
    self.kind = kind
    self.role = role
    self.openedAt = openedAt
    self.expiresAt = expiresAt
  }
}
