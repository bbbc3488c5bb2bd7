import ChatModel

/// Bans and mutes.
///
/// They are about a user, whoever calls for that user: a backend too lifts a ban before it lets somebody in again.
extension ConversationMachine {
  mutating func restrict(
    _ user: UserID, _ restriction: Restriction, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireModerator(caller)
    try refuseInThread("conversation")
    try requireRestrictable(user, by: caller)
    try FieldChecks.checkReason(restriction.reason)
    let old = state.restrictions[user]
    guard !restriction.isNone else {
      if old == nil { return .done }
      _ = advance(at: moment)
      state.restrictions[user] = nil
      outbox.dirt.places.insert(user)
      batch.changes.append(.removeRestriction(id, user))
      return .done
    }
    try requireExisting(user)
    if let old, Restriction(isBanned: old.isBanned, isMuted: old.isMuted, reason: old.reason) == restriction { return .done }
    let step = advance(at: moment)
    let record = RestrictionRecord(
      user: user, isBanned: restriction.isBanned, isMuted: restriction.isMuted, reason: restriction.reason, setBy: caller.user,
      setAt: step.time)
    state.restrictions[user] = record
    outbox.dirt.places.insert(user)
    batch.changes.append(.putRestriction(id, record))
    if record.isBanned { removeInvitation(of: user) }
    if record.isBanned, state.roster[user] != nil {
      remove(user, step)
    } else if typing.end(user) {
      noteTypists([user])
    }
    return .done
  }

  func listRestrictions(_ range: UserRange, by caller: Caller) throws(ChatError) -> ChatReply {
    try requireModerator(caller)
    try refuseInThread("conversation")
    let (records, reachedEnd) = state.restrictions.page(range)
    let snapshots = records.map { RestrictionSnapshot(user: users.snapshot($0.user), record: $0) }
    let (shown, areAll) = SnapshotBuilder.fitting(snapshots, size: \.encodedSize)
    return .restrictions(shown, loadedAll: reachedEnd && areAll)
  }

  // MARK: Checks

  /// Lets moderators pass, in the conversation or not; to others a conversation in which they have no place is as if it was not there.
  func requireModerator(_ caller: Caller) throws(ChatError) {
    guard state.record != nil else { throw .notParticipant }
    if caller.kind == .app || caller.permissions.moderate { return }
    guard place(of: caller.user) != nil else { throw .notParticipant }
    throw ChatError(.forbidden, "Your role does not let you moderate")
  }

  /// Lets pass whose restriction the caller may change: nobody's own, and a moderator's is the backend's to change.
  private func requireRestrictable(_ user: UserID, by caller: Caller) throws(ChatError) {
    if caller.kind == .app { return }
    guard user != caller.user else { throw ChatError(.forbidden, "You may not change your own restriction", field: "user") }
    if let role = users[user]?.role, settings.moderatingRoles.contains(role) {
      throw ChatError(.forbidden, "Only a backend may restrict a moderator", field: "user")
    }
  }

  private func requireExisting(_ user: UserID) throws(ChatError) {
    guard users[user] != nil else { throw ChatError(.notFound, "There is no such user", field: "user") }
  }

  /// Lets pass who may have a place.
  func requireUnbanned(_ user: UserID) throws(ChatError) {
    if let refusal = state.restrictions.ban(of: user) { throw refusal }
  }

  /// Lets pass who may say something: who may write and is not muted.
  ///
  /// An application that takes no part speaks for nobody and so is never muted.
  @discardableResult
  func requireSpeaker(_ caller: Caller) throws(ChatError) -> ParticipantRecord? {
    let place = try requireWriter(caller)
    if place != nil, let refusal = state.restrictions.mute(of: caller.user) { throw refusal }
    return place
  }
}
