import ChatModel

/// Places in the conversation: the caller's own and those of others.
extension ConversationMachine {
  func getParticipant(_ user: UserID, by caller: Caller) throws(ChatError) -> ChatReply {
    // Everybody may ask whether they themselves take part.
    if user != caller.user { _ = try requireInside(caller) }
    return .participant(state.roster[user].map { snapshot(of: $0) })
  }

  mutating func createParticipant(
    _ user: UserID, _ patch: ParticipantPatch, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireOwnInThread(user, patch, by: caller)
    try requireEditor(caller)
    if let place = state.roster[user] { return .participant(snapshot(of: place)) }
    return try add(user, patch, by: caller, at: moment)
  }

  mutating func setParticipant(
    _ user: UserID, _ patch: ParticipantPatch, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireChange(of: user, patch, by: caller)
    guard let place = state.roster[user] else { return try add(user, patch, by: caller, at: moment) }
    return .participant(change(place, patch, at: moment))
  }

  mutating func editParticipant(
    _ user: UserID, _ patch: ParticipantPatch, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireChange(of: user, patch, by: caller)
    guard let place = state.roster[user] else {
      throw ChatError(.notFound, "The user is not a participant of this conversation", field: "user")
    }
    return .participant(change(place, patch, at: moment))
  }

  mutating func deleteParticipantFields(
    _ user: UserID, _ fields: [ParticipantField], by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    var patch = ParticipantPatch()
    for field in fields {
      switch field {
      case .access: patch.access = .reset
      case .notify: patch.notify = .reset
      }
    }
    return try editParticipant(user, patch, by: caller, at: moment)
  }

  mutating func deleteParticipant(_ user: UserID, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    try requireOwnInThread(user, by: caller)
    if state.roster[user] == nil, try endInvitation(of: user, by: caller, at: moment) { return .done }
    // Whoever may only read may still leave.
    if user == caller.user { _ = try requireInside(caller) } else { try requireEditor(caller) }
    try requireSync(caller)
    guard state.roster[user] != nil else { return .done }
    remove(user, advance(at: moment))
    return .done
  }

  /// Takes a user's place away, as one change.
  mutating func remove(_ user: UserID, _ step: Step) {
    let lowest = state.roster.lowestReadUntil()
    state.roster.remove(user)
    batch.changes.append(.removeParticipant(id, user, revision: step.revision))
    closeBatch(ifWatching: user)
    if typing.end(user) { noteTypists([user]) }
    outbox.dirt.participants = true
    outbox.dirt.moved.insert(user)
    outbox.dirt.places.insert(user)
    outbox.dirt.gone[user] = step.revision
    noteReading(by: user, lowestBefore: lowest)
  }

  /// Checks that the caller may change the place of a user, be it their own or another's.
  private func requireChange(of user: UserID, _ patch: ParticipantPatch, by caller: Caller) throws(ChatError) {
    try requireOwnInThread(user, patch, by: caller)
    if user == caller.user, let own = state.roster[user] {
      try requireOwnChange(access: patch.newAccess, beyondNotify: patch.access != .keep, at: own, by: caller)
    } else {
      try requireEditor(caller)
      try requireSync(caller)
    }
  }

  private mutating func add(
    _ user: UserID, _ patch: ParticipantPatch, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    try requireJoinable(user, by: caller)
    try requireUser(user, field: "user", by: caller)
    // Who manages conversations may add themselves from outside.
    let place = user == caller.user ? try ownPlace(patch, changesConversation: false, by: caller) : patch
    join(user, place, advance(at: moment))
    return .participant(state.roster[user].map { snapshot(of: $0) })
  }

  private mutating func change(_ place: ParticipantRecord, _ patch: ParticipantPatch, at moment: Moment) -> ParticipantSnapshot {
    var changed = place
    patch.apply(to: &changed)
    guard changed != place else { return snapshot(of: place) }
    if changed.access != place.access { outbox.dirt.places.insert(changed.user) }
    put(changed, at: advance(at: moment).revision)
    outbox.dirt.viewers.insert(changed.user)
    outbox.dirt.participants = true
    return snapshot(of: changed)
  }
}
