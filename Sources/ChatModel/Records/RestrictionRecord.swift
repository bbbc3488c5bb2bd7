/// What a moderator forbids a user in a conversation, as it is kept.
package struct RestrictionRecord: Hashable, Sendable {
  package let user: UserID
  /// Whether the user may have no place.
  package var isBanned: Bool
  /// Whether the user may neither send, change messages, react nor type.
  package var isMuted: Bool
  /// What the user and other moderators are told; at most 500 scalars.
  package var reason: String?
  /// Who set it.
  package var setBy: UserID
  /// When it was set, by the conversation's clock.
  package var setAt: Timestamp

  /// Makes a restriction.
  package init(user: UserID, isBanned: Bool, isMuted: Bool, reason: String?, setBy: UserID, setAt: Timestamp) {
    self.user = user
    self.isBanned = isBanned
    self.isMuted = isMuted
    self.reason = reason
    self.setBy = setBy
    self.setAt = setAt
  }
}
