import ChatModel

/// Read markers.
extension ConversationMachine {
  mutating func markAsRead(_ upTo: MessageID?, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    let place = try requireInside(caller)
    if let upTo { try requireRow(upTo, field: "upTo") }
    // In a thread who did not reply has nothing to mark.
    guard place != nil, var place = state.roster[caller.user] else { return .conversation(snapshot(for: caller)) }
    let target = upTo.map { state.window.record($0.number) } ?? state.lastMessage
    let before = place
    // The marker never moves back.
    if let target, target.number > place.readMarker {
      place.readMarker = target.number
      place.readUntil = max(place.readUntil, target.createdAt)
    }
    place.isMarkedUnread = false
    write(place, before, at: moment)
    return .conversation(snapshot(for: caller))
  }

  mutating func markAsUnread(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    guard try requireInside(caller) != nil, var place = state.roster[caller.user] else {
      return .conversation(snapshot(for: caller))
    }
    let before = place
    place.isMarkedUnread = true
    write(place, before, at: moment)
    return .conversation(snapshot(for: caller))
  }

  private mutating func write(_ place: ParticipantRecord, _ before: ParticipantRecord, at moment: Moment) {
    guard place != before else { return }
    let lowest = state.roster.lowestReadUntil()
    put(place, at: advance(at: moment).revision)
    noteReading(by: place.user, lowestBefore: lowest)
  }
}
