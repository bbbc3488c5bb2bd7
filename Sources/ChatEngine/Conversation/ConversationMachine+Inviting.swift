import ChatModel

/// Invitations: who is invited sees that they are, and nothing of the conversation, until they join.
extension ConversationMachine {
  mutating func invite(_ users: [UserID], by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireEditor(caller)
    try refuseInThread("users")
    guard users.count <= ChatSettings.maxInvited else { throw .tooLarge("users", "must have at most \(ChatSettings.maxInvited) elements") }
    let fresh = Set(users.filter { state.roster[$0] == nil && state.invitations[$0] == nil }).sorted()
    for user in fresh {
      try requireJoinable(user, by: caller)
      try requireUser(user, field: "users", by: caller)
    }
    guard state.invitations.count + fresh.count <= ChatSettings.maxInvitations else {
      throw ChatError(.limitExceeded, "At most \(ChatSettings.maxInvitations) users are invited at a time", field: "users")
    }
    if !fresh.isEmpty {
      let step = advance(at: moment)
      for user in fresh {
        let invitation = InvitationRecord(user: user, invitedBy: caller.user, invitedAt: step.time)
        state.invitations[user] = invitation
        batch.changes.append(.putInvitation(id, invitation))
        outbox.dirt.invitations.insert(user)
      }
    }
    return .invited(users.map { invited($0) })
  }

  func listInvitees(_ range: UserRange, by caller: Caller) throws(ChatError) -> ChatReply {
    _ = try requireInside(caller)
    let (records, reachedEnd) = range.page(of: state.invitations.values) { $0.user }
    let snapshots = records.map { InviteeSnapshot(user: users.snapshot($0.user), record: $0) }
    let (shown, areAll) = SnapshotBuilder.fitting(snapshots, size: \.encodedSize)
    return .invitees(shown, loadedAll: reachedEnd && areAll)
  }

  /// An invited user declines, or somebody takes the invitation back; says whether there was one.
  mutating func endInvitation(of user: UserID, by caller: Caller, at moment: Moment) throws(ChatError) -> Bool {
    guard state.invitations[user] != nil else { return false }
    if user != caller.user {
      try requireEditor(caller)
      try requireSync(caller)
    }
    _ = advance(at: moment)
    removeInvitation(of: user)
    return true
  }

  /// Removes an invitation, as part of a change.
  mutating func removeInvitation(of user: UserID) {
    guard state.invitations.removeValue(forKey: user) != nil else { return }
    batch.changes.append(.removeInvitation(id, user))
    outbox.dirt.invitations.insert(user)
  }

  /// Notes that what the invited see of the conversation changed.
  mutating func noteInvited() {
    if !state.invitations.isEmpty { outbox.dirt.invitations.formUnion(state.invitations.keys) }
  }

  private func invited(_ user: UserID) -> InvitedSnapshot {
    if let place = state.roster[user] { return .participant(snapshot(of: place)) }
    return .pending(users.snapshot(user), state.roster.highestAccess(ofReturning: user))
  }
}
