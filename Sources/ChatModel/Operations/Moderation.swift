/// What `moderation.set` makes of a user's restriction; with neither ban nor mute it is lifted.
package struct Restriction: Hashable, Sendable {
  package var isBanned: Bool
  package var isMuted: Bool
  package var reason: String?

  package init(isBanned: Bool = false, isMuted: Bool = false, reason: String? = nil) {
    self.isBanned = isBanned
    self.isMuted = isMuted
    self.reason = reason
  }

  /// Whether nothing is forbidden.
  package var isNone: Bool { !isBanned && !isMuted }
}

/// A piece of a conversation's reports, newest first.
package struct ReportRange: Hashable, Sendable {
  /// The report behind which the piece begins; nil for the newest.
  package var before: MessageID?
  /// 1 to 100.
  package var limit: Int

  package init(before: MessageID? = nil, limit: Int) {
    self.before = before
    self.limit = limit
  }
}

/// A piece of a list that is ordered by user ids.
package struct UserRange: Hashable, Sendable {
  /// The user behind whom the piece begins; nil for the beginning.
  package var after: UserID?
  /// 1 to 100.
  package var limit: Int

  package init(after: UserID? = nil, limit: Int) {
    self.after = after
    self.limit = limit
  }
}
