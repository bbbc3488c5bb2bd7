import ChatModel

/// Making, changing and deleting the conversation.
extension ConversationMachine {
  mutating func createIfNotExists(_ new: NewConversation, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    let pair = try directPair(new, by: caller)
    guard let record = state.record else {
      try requireSync(caller)
      guard pair != nil || new.isServerMade || !id.isReserved else { throw Self.reserved }
      let record = try newRecord(new.type ?? .group, pair, new.fields, at: moment)
      try requireUser(new.with, field: "with", by: caller)
      try requireSelf(caller)
      let revision = begin(record, new.fields.own, by: caller, at: moment)
      // A direct conversation holds both from its beginning; either may leave and come back.
      if let other = new.with { join(other, ParticipantPatch(), revision) }
      return .created(try own(caller), isNew: true)
    }
    if let type = new.type, type != record.type { throw Self.otherType(record.type) }
    if let pair, pair != record.pair { throw Self.otherPair }
    if state.roster[caller.user] == nil {
      try requireJoinable(caller.user, by: caller)
      try requireSelf(caller)
      let own = try ownPlace(new.fields.own, changesConversation: false, by: caller)
      join(caller.user, own, advance(at: moment))
    }
    return .created(try own(caller), isNew: false)
  }

  mutating func set(_ patch: ConversationPatch, by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    guard let record = state.record else {
      try requireSync(caller)
      guard !id.isReserved else { throw Self.reserved }
      try requireSelf(caller)
      _ = begin(try newRecord(.group, nil, patch, at: moment), patch.own, by: caller, at: moment)
      return .conversation(try own(caller))
    }
    if patch.own.access != .keep { try refuseInThread("access") }
    var changed = record
    if let place = state.roster[caller.user] {
      let beyondNotify = patch.changesConversation || patch.own.access != .keep
      try requireOwnChange(access: patch.own.newAccess, beyondNotify: beyondNotify, at: place, by: caller)
      try apply(patch, to: &changed)
      change(to: changed, place, with: patch.own, at: moment)
    } else {
      try requireJoinable(caller.user, by: caller)
      try requireSelf(caller)
      let own = try ownPlace(patch.own, changesConversation: patch.changesConversation, by: caller)
      if patch.changesConversation { try requireSync(caller) }
      try apply(patch, to: &changed)
      change(to: changed, nil, with: own, at: moment)
      // One call is one change, whatever it changes.
      let revision = changed == record ? advance(at: moment) : current
      join(caller.user, own, revision)
    }
    return .conversation(try own(caller))
  }

  mutating func deleteFields(_ fields: [ConversationField], by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    let place = place(of: caller.user)
    if place == nil { try requireEditor(caller) }
    guard var changed = state.record else { throw .notParticipant }
    var own = ParticipantPatch()
    for field in fields {
      switch field {
      case .subject: changed.subject = nil
      case .photoUrl: changed.photoUrl = nil
      case .welcomeMessages: changed.welcomeMessages = []
      case .custom: changed.custom = CustomFields()
      case .customKey(let key): changed.custom[key] = nil
      case .access: own.access = .reset
      case .notify: own.notify = .reset
      }
    }
    if own.access != .keep { try refuseInThread("access") }
    if let place {
      let beyondNotify = fields.contains { $0 != .notify }
      try requireOwnChange(access: own.newAccess, beyondNotify: beyondNotify, at: place, by: caller)
    }
    change(to: changed, state.roster[caller.user], with: own, at: moment)
    // A manager who takes no part sees nothing of it.
    return .conversation(snapshot(for: caller.user, isApplication: caller.isApplication))
  }

  mutating func delete(by caller: Caller, at moment: Moment) throws(ChatError) -> ChatReply {
    guard state.record != nil else { throw .notParticipant }
    guard isManager(caller) else {
      guard place(of: caller.user) != nil else { throw .notParticipant }
      throw ChatError(.forbidden, "Your role does not let you delete conversations")
    }
    // PubNub's sentence.
    guard !state.isPlanned else { throw ChatError(.notFound, "There is no thread to be deleted.") }
    let revision = advance(at: moment).revision
    batch.changes.append(.deleteConversation(id))
    batch.isClosed = true
    for user in state.roster.users { outbox.dirt.gone[user] = revision }
    noteInvited()
    noteTypists(typing.endAll())
    state.delete()
    // The message is there, and may get another thread.
    if let planned = thread?.planned(id) { state.plan(planned) }
    outbox.dirt.replies = true
    outbox.dirt.markEverything()
    return .done
  }

  // MARK: Steps

  /// A revision of the conversation and its time.
  typealias Step = (revision: Int64, time: Timestamp)

  /// Begins a change: the next revision of the conversation.
  mutating func advance(at moment: Moment) -> Step {
    batch.isChanged = true
    if state.isPlanned {
      state.makePlanned(at: moment.wall)
      // First, so that the rows after it belong to something.
      if let record = state.record { batch.changes.append(.putConversation(record)) }
    }
    return state.advance(to: moment.wall)
  }

  /// The revision of the change that was begun last.
  private var current: Step { (state.record?.revision ?? 0, state.record?.clock ?? 0) }

  /// Lets a user in, as the last who joined.
  mutating func join(_ user: UserID, _ patch: ParticipantPatch, _ step: Step) {
    let lowest = state.roster.lowestReadUntil()
    var place = ParticipantRecord(user: user, joinedAt: step.time, revision: step.revision)
    patch.apply(to: &place)
    state.roster.put(place)
    batch.changes.append(.putParticipant(id, place))
    removeInvitation(of: user)
    closeBatch(ifWatching: user)
    outbox.dirt.participants = true
    outbox.dirt.moved.insert(user)
    outbox.dirt.came.insert(user)
    outbox.dirt.places.insert(user)
    noteReading(by: user, lowestBefore: lowest)
  }

  /// Ends the batch behind somebody who came or went and watches: their windows begin or end here.
  mutating func closeBatch(ifWatching user: UserID) {
    if audience.viewers.contains(user) { batch.isClosed = true }
  }

  /// Writes a place that changed at a revision.
  mutating func put(_ place: ParticipantRecord, at revision: Int64) {
    var place = place
    place.revision = revision
    state.roster.put(place)
    batch.changes.append(.putParticipant(id, place))
  }

  private mutating func begin(_ record: ConversationRecord, _ own: ParticipantPatch, by caller: Caller, at moment: Moment) -> Step {
    state.create(record)
    let step = advance(at: moment)
    // First, so that the rows after it belong to something.
    if let record = state.record { batch.changes.append(.putConversation(record)) }
    join(caller.user, own, step)
    outbox.dirt.everyViewer = true
    return step
  }

  /// Writes the changed parts, as one change; nothing when all is as it was.
  private mutating func change(
    to record: ConversationRecord, _ place: ParticipantRecord?, with patch: ParticipantPatch, at moment: Moment
  ) {
    var changed = place
    if var own = place {
      patch.apply(to: &own)
      changed = own
    }
    guard record != state.record || changed != place else { return }
    if record != state.record {
      outbox.dirt.everyViewer = true
      noteInvited()
    }
    state.record = record
    let step = advance(at: moment)
    if let changed, changed != place {
      if changed.access != place?.access { outbox.dirt.places.insert(changed.user) }
      put(changed, at: step.revision)
      outbox.dirt.viewers.insert(changed.user)
      outbox.dirt.participants = true
    }
  }

  private mutating func own(_ caller: Caller) throws(ChatError) -> ConversationSnapshot {
    guard let snapshot = snapshot(for: caller) else { throw .notParticipant }
    return snapshot
  }

  // MARK: Checks

  private func directPair(_ new: NewConversation, by caller: Caller) throws(ChatError) -> DirectPair? {
    guard let other = new.with else {
      if new.type == .direct, state.record == nil { throw .invalid("with", "is needed for a direct conversation") }
      return nil
    }
    guard new.type == .direct else { throw .invalid("with", "belongs to type \"direct\"") }
    guard let pair = DirectPair(caller.user, other) else { throw .invalid("with", "must be another user") }
    guard pair.conversation == id else { throw .invalid("conversation", "must be \(pair.conversation.text) for these two users") }
    return pair
  }

  private func newRecord(
    _ type: ConversationType, _ pair: DirectPair?, _ patch: ConversationPatch, at moment: Moment
  ) throws(ChatError) -> ConversationRecord {
    var record = ConversationRecord(id: id, type: type, pair: pair, createdAt: moment.wall)
    record.revision = max(record.revision, state.lastRevision)
    try apply(patch, to: &record)
    return record
  }

  private func apply(_ patch: ConversationPatch, to record: inout ConversationRecord) throws(ChatError) {
    try FieldChecks.check(patch)
    patch.subject.apply(to: &record.subject)
    patch.photoUrl.apply(to: &record.photoUrl)
    patch.welcomeMessages.apply(to: &record.welcomeMessages, default: [])
    record.custom.apply(patch.custom)
    try FieldChecks.check(record.custom)
  }

  /// Checks that a user may be let in.
  func requireJoinable(_ user: UserID, by caller: Caller) throws(ChatError) {
    try requireUnbanned(user)
    if thread != nil, place(of: user) == nil { throw .notParticipant }
    // Who may invite has let them in.
    if user != caller.user || state.invitations[user] == nil { try requireSync(caller) }
    guard thread == nil, let record = state.record, record.type == .direct else { return }
    guard record.pair?.contains(user) == true else {
      throw ChatError(.forbidden, "A direct conversation holds exactly its two users")
    }
  }

  /// Checks that the user exists for whom a backend acts; everybody else exists since their session opened.
  func requireSelf(_ caller: Caller) throws(ChatError) {
    if caller.kind == .app { try requireUser(caller.user, field: "actAs", by: caller) }
  }

  /// Checks that a user who is named exists, and that a guest who names them shares a conversation with them: for a guest the
  /// others are no different from users who do not exist.
  func requireUser(_ user: UserID?, field: String, by caller: Caller) throws(ChatError) {
    guard let user else { return }
    let isKnown = users[user] != nil && (sight(of: user, by: caller).map { sights[$0] == true } ?? true)
    guard isKnown else { throw ChatError(.notFound, "There is no such user", field: field) }
  }

  private static let reserved = ChatError.invalid(
    "conversation", "must not begin with \(ConversationID.reservedPrefixes.joined(separator: ", ")): these ids are the server's")

  private static func otherType(_ type: ConversationType) -> ChatError {
    ChatError(.conflict, "The conversation exists and is of type \"\(type.rawValue)\"", field: "type")
  }

  private static let otherPair = ChatError(.conflict, "The conversation exists and is that of two other users", field: "conversation")
}
