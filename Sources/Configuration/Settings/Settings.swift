/// Everything an operator can decide; a fresh value holds every default.
///
/// The default of a key stands here and nowhere else; its name, range and reason stand in `SettingTable`.
package struct Settings: Sendable, Equatable {
  /// Addresses, limits and times of the gateway itself.
  package var server = ServerSettings()
  /// Who may log in, and how tokens are checked.
  package var auth = AuthSettings()
  /// What a session's role allows, by the role's name; always holds `default`.
  package var roles: [String: RoleSettings] = [RoleSettings.defaultName: RoleSettings()]
  /// What clients may write themselves.
  package var sync = SyncSettings()
  /// The chat's own behaviour.
  package var chat = ChatSettings()
  /// When users are online.
  package var presence = PresenceSettings()
  /// Lengths, pages and the memory for repeated sends.
  package var messages = MessageSettings()
  /// What may be uploaded.
  package var files = FileSettings()
  /// Where messages are kept.
  package var store = StoreSettings()
  /// What is logged, and in which form.
  package var log = LogSettings()
  /// Who may read the metrics.
  package var metrics = MetricsSettings()

  /// Settings with every default.
  package init() {}
}

/// What clients may write themselves (client-side syncing).
package struct SyncSettings: Sendable, Equatable {
  /// Clients may create and change conversations and participants.
  package var conversations = true
  /// Clients may change their own user record.
  package var users = true
}

/// The chat's own behaviour, by the names of the chat SDKs' `ChatConfiguration`.
package struct ChatSettings: Sendable, Equatable {
  /// Seconds until a `startTyping` lease ends, 1 to 5.
  package var typingTimeout = 5
  /// Whether it is kept and shown when users were active last.
  package var storeUserActivityTimestamps = false
  /// Seconds after which it is written again that a user is active, 60 or more.
  package var storeUserActivityInterval = 600
  /// Whether mute lists are kept and shared by a user's sessions.
  package var syncMutedUsers = false
  /// Milliseconds behind the first message of a burst, by the type of conversation; 0: sending is not slowed down.
  package var rateLimitPerChannel = RateLimitSettings()
  /// By what each further wait of a burst is longer.
  package var rateLimitFactor = 2
  /// The most messages of a user that wait in a conversation; one more is error 109.
  package var rateLimitMaxQueued = 20
  /// The most seconds that a message waits; one that would wait longer is error 109.
  package var rateLimitMaxDelay = 60
  /// The conversation types whose members see read receipts.
  package var emitReadReceiptEvents = ReadReceiptSettings()
}

/// Milliseconds behind the first message of a burst; 0: sending is not slowed down.
package struct RateLimitSettings: Sendable, Equatable {
  /// Conversations of exactly two.
  package var direct = 0
  /// Conversations of a closed circle.
  package var group = 0
  /// Conversations that anybody may join.
  package var `public` = 0
  /// Conversations of a type that was not said.
  package var unknown = 0
}

/// When users are online.
package struct PresenceSettings: Sendable, Equatable {
  /// Milliseconds after the last connection until a user is offline.
  package var graceMs = 15_000
}

/// The conversation types whose members see read receipts.
package struct ReadReceiptSettings: Sendable, Equatable {
  /// Conversations of exactly two.
  package var direct = true
  /// Conversations of a closed circle.
  package var group = true
  /// Conversations that anybody may join.
  package var `public` = false
  /// Conversations of a type that was not said.
  package var unknown = true
}

/// Lengths, pages and the memory for repeated sends.
package struct MessageSettings: Sendable, Equatable {
  /// The longest text of a message in Unicode scalars.
  package var maxTextLength = 10_000
  /// Days for which a `clientMessageId` is remembered.
  package var dedupeDays = 30
  /// How many items a window starts with and grows by.
  package var pages = Pages()

  /// The three windows that grow.
  package struct Pages: Sendable, Equatable {
    /// Messages of a conversation.
    package var messages = PageSettings(initial: 10, max: 100, default: 30)
    /// Participants of a conversation.
    package var participants = PageSettings(initial: 10, max: 50, default: 10)
    /// Conversations of a user.
    package var conversations = PageSettings(initial: 20, max: 30, default: 20)
  }
}

/// How many items a window starts with and grows by.
package struct PageSettings: Sendable, Equatable {
  /// Items in the first snapshot.
  package var initial: Int
  /// The most items that one `loadMore` may ask for.
  package var max: Int
  /// Items that a request gets which names no number.
  package var `default`: Int

  /// A window's three numbers.
  package init(initial: Int, max: Int, default: Int) {
    self.initial = initial
    self.max = max
    self.default = `default`
  }
}

/// What may be uploaded.
package struct FileSettings: Sendable, Equatable {
  /// Bytes of a file.
  package var maxBytes = 10_485_760
  /// Patterns of media types.
  package var types = ["*/*"]
  /// Bytes of all files of a user; 0: no limit.
  package var bytesPerUser = 1_073_741_824
  /// Bytes of all files; 0: no limit.
  package var totalBytes = 10_737_418_240
  /// Files that a user may upload in a minute; 0: no limit.
  package var uploadsPerMinute = 30
  /// Hours that a file waits for the first message that has it.
  package var unusedHours = 24
}

/// Where messages are kept.
package struct StoreSettings: Sendable, Equatable {
  /// The data folder; one gateway locks it.
  package var data = "./data"
}

/// What is logged, and in which form.
package struct LogSettings: Sendable, Equatable {
  /// The least important events that are still logged.
  package enum Level: String, Sendable, CaseIterable {
    case error, warn, info, debug
  }

  /// The form of a line.
  package enum Format: String, Sendable, CaseIterable {
    /// Text on a terminal, JSON elsewhere.
    case auto
    /// For people.
    case text
    /// For log collectors, one object a line.
    case json
  }

  /// The least important events that are still logged.
  package var level = Level.info
  /// The form of a line.
  package var format = Format.auto
  /// Lines of one kind that are written in a second; 0: all of them.
  package var linesPerSecond = 50
}

/// Who may read the metrics.
package struct MetricsSettings: Sendable, Equatable {
  /// Addresses or networks beyond loopback that may read `/metrics`.
  package var allow: [String] = []
  /// A second address that serves nothing but `/metrics`.
  package var listen: String?
}
