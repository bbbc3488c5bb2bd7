import ChatModel

// Who is online, and since when a user was not seen.
extension UserMachine {
  /// A session opened.
  mutating func arrived(_ session: SessionRecord) -> [EngineAction] {
    sessions.add(session)
    return tell(presence.connected())
  }

  /// The last session ended: typing ends at once, the rest after a while.
  mutating func left(at moment: Moment) -> [EngineAction] {
    activity.stop()
    let news = tell(presence.disconnected(at: moment.tick))
    return [.announceOffline(id)] + news + publish() + wish()
  }

  /// What the loops are told; the user's own watchers are told by `publish`.
  func tell(_ news: PresenceMachine.News) -> [EngineAction] {
    switch news {
    case .none: []
    case .cameOnline: [.announcePresence(id, isOnline: true)]
    case .wentOffline: [.announcePresence(id, isOnline: false)]
    }
  }

  /// Writes that the user is active, where it is time; a guest without a row gets none by this.
  mutating func noteActivity(at moment: Moment) -> [EngineAction] {
    guard activity.isKept, isAtRest, !sessions.isEmpty, !isProvisional, var changed = record else { return [] }
    guard activity.isDue(since: changed.lastActiveAt, at: moment) else { return [] }
    changed.lastActiveAt = moment.wall
    return write(changed, then: .activity)
  }

  /// What the user's own topics and calls show: nested in messages and places it would change them all the time.
  func shown(_ record: UserRecord?) -> UserSnapshot? { record?.snapshot(showsActivity: activity.isKept) }

  /// The wish to be woken, where it differs from the last one.
  mutating func wish() -> [EngineAction] {
    guard let tick = [retryAt, presence.endsAt, activity.dueAt].compactMap(\.self).min(), tick != wakeAt else { return [] }
    wakeAt = tick
    return [.wake(at: tick)]
  }

  /// Where the user is to be found: in the conversations shared with the caller while they are online, a backend sees all of them.
  func whereabouts(for caller: Caller, as call: CallID) -> [EngineAction] {
    guard presence.isOnline else { return [.reply(call, .success(.conversations([])))] }
    let other = caller.kind == .app ? id : caller.user
    return [.replyWithConversations(call, .sharedConversations(id, other, limit: Self.maxWhereabouts))]
  }

  /// The most conversations of one `presence.where`.
  static let maxWhereabouts = 500
}
