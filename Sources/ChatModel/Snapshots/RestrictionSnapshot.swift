/// What is forbidden a user in a conversation, as moderators see it.
package struct RestrictionSnapshot: Hashable, Sendable {
  package let user: UserSnapshot
  package let isBanned: Bool
  package let isMuted: Bool
  package let reason: String?
  package let setBy: UserID
  package let setAt: Timestamp

  package init(user: UserSnapshot, record: RestrictionRecord) {
    self.user = user
    isBanned = record.isBanned
    isMuted = record.isMuted
    reason = record.reason
    setBy = record.setBy
    setAt = record.setAt
  }

  /// The most bytes of the restriction as JSON.
  package var encodedSize: Int { 120 + user.encodedSize + (reason?.encodedSize ?? 0) + setBy.text.encodedSize }
}
