/// How messages that are sent one behind the other are slowed down.
package struct SendLimit: Hashable, Sendable {
  /// By what each wait of a burst is longer than the one before.
  package var factor: UInt64 = 2
  /// The most messages of a user that wait in a conversation.
  package var maxQueued = 20
  /// The longest that a message waits, milliseconds.
  package var maxDelayMs: UInt64 = 60_000

  /// The limit where nothing is configured.
  package init() {}
}

/// The rules of the chat that the configuration may change.
package struct ChatSettings: Hashable, Sendable {
  /// How many items a topic shows at first, and by how many it grows.
  package struct Window: Hashable, Sendable {
    package var initial: Int
    /// The most that one `loadMore` asks for.
    package var maxPage: Int
    /// What a `loadMore` without a count asks for.
    package var defaultPage: Int

    package init(initial: Int, maxPage: Int, defaultPage: Int) {
      self.initial = initial
      self.maxPage = maxPage
      self.defaultPage = defaultPage
    }
  }

  /// Unicode scalars of a message's text.
  package var maxTextLength = 10_000
  package var messages = Window(initial: 10, maxPage: 100, defaultPage: 30)
  package var participants = Window(initial: 10, maxPage: 50, defaultPage: 10)
  package var conversations = Window(initial: 20, maxPage: 30, defaultPage: 20)
  /// The most items that a list keeps for a subscriber.
  package var maxWindowItems = 200
  /// Milliseconds of a `markAsTyping`.
  package var typingMarkMs: Int64 = 10_000
  /// Milliseconds of a `startTyping`.
  package var typingStartMs: Int64 = 5_000
  /// Milliseconds after a user's last connection until they are offline.
  package var presenceGraceMs: Int64 = 15_000
  /// Milliseconds after which it is written again that a user is active; nil where it is not kept.
  package var activityIntervalMs: Int64?
  /// The first wait behind a message, milliseconds, where sending is slowed down.
  package var sendBaseMs: [ConversationType: UInt64] = [:]
  /// What the waits grow by, and how long they may be.
  package var sendLimit = SendLimit()
  /// Whether mute lists are the users' and kept; else they are the sessions'.
  package var syncsMutedUsers = false
  /// Milliseconds that snapshots caused by changes of users are gathered.
  package var coalesceMs: Int64 = 100
  /// The types of conversation that have read receipts.
  package var receipts: Set<ConversationType> = [.direct, .group, .unknown]
  /// Whether clients may create and change conversations.
  package var syncConversations = true
  /// The names of the roles that exist.
  package var roles: Set<String> = [UserRecord.defaultRole]
  /// Those of them that may moderate.
  package var moderatingRoles: Set<String> = []
  /// Open sessions of one user; 0 for no limit.
  package var sessionsPerUser = 50
  /// Whether clients may create and change users.
  package var syncUsers = true

  /// Whether anybody may have to wait for their turn.
  package var limitsSends: Bool { sendBaseMs.contains { $0.value > 0 } }

  /// Makes the settings that hold where nothing is configured.
  package init() {}

  /// Scalars of a conversation's subject and of a user's name.
  package static let maxNameLength = 200
  /// The most welcome messages of a conversation, and the scalars of each.
  package static let maxWelcomeMessages = 10
  package static let maxWelcomeLength = 1_000
  /// Scalars of a `clientMessageId`.
  package static let maxClientMessageIdLength = 64
  /// Scalars of a message's text that a report keeps.
  package static let maxReportedText = 1_000
  /// Users whom one call invites, and who are invited to a conversation at a time.
  package static let maxInvited = 20
  package static let maxInvitations = 1_000
  /// Invitations that a user is shown, the newest.
  package static let maxShownInvitations = 100
  /// Scalars of the reason of a restriction or a report.
  package static let maxReasonLength = 500
  /// The most users of a mute list.
  package static let maxMuted = 200
  /// Unread messages are counted up to this number.
  package static let maxUnread = 1_000
  /// The bytes at which a snapshot or page ends with `loadedAll:false`.
  package static let maxPageBytes = 262_144
}
