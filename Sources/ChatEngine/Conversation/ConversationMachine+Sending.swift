import ChatModel

/// Sending, and reading single messages and the history.
extension ConversationMachine {
  /// Sends, or returns nil where the message has to wait for its turn.
  mutating func send(
    _ message: OutgoingMessage, by caller: Caller, as call: CallID, at moment: Moment
  ) throws(ChatError) -> ChatReply? {
    let hadToWait = limiter.takeTurn(call)
    let place = try requireSpeaker(caller)
    let scopes = caller.permissions
    try require(scopes.send, of: caller, on: caller.user, to: "send")
    try requireReplies(caller)
    if message.referenced != nil { try require(scopes.reply == .none ? .none : .all, of: caller, on: nil, to: "reply to") }

    let requestHash = RequestHash.of(message)
    let name = message.clientMessageId.map { SentKeys.Name(sender: caller.user, clientMessageId: $0) }
    if let name {
      try FieldChecks.checkClientMessageId(name.clientMessageId)
      if let first = state.sent[name] { return try repeated(first, requestHash, by: caller) }
    }
    try FieldChecks.check(message.content, by: caller, maxTextLength: settings.maxTextLength)
    try FieldChecks.check(message.custom)
    try checkReference(message, by: caller, isSystem: place == nil)
    let content = try withFiles(message.content, by: caller)
    // Who speaks without a place is the application itself, which is not limited.
    if place != nil, !hadToWait, try waits(message, by: caller, as: call, at: moment) { return nil }

    var message = message
    // Nobody learns the name of a stranger.
    message.content = content.mentioning { self.place(of: $0) != nil }
    let record = append(
      message, by: caller, place, at: moment,
      key: name.map {
        SendKey(sender: $0.sender, clientMessageId: $0.clientMessageId, requestHash: requestHash)
      })
    if let name { state.sent.remember(name, SentMessage(number: record.number, requestHash: requestHash)) }
    return .sent(snapshot(of: record, for: caller.user), isDuplicate: false)
  }

  func getMessage(_ message: MessageID, by caller: Caller) -> ChatReply {
    guard place(of: caller.user) != nil || caller.isApplication else { return .message(nil) }
    return .message(state.window.living(message.number).map { snapshot(of: $0, for: caller.user) })
  }

  /// The question that the store answers to the caller.
  func history(_ range: HistoryRange, by caller: Caller) throws(ChatError) -> StoreQuery {
    _ = try requireInside(caller)
    guard (1...Self.maxHistory).contains(range.limit) else { throw .invalid("limit", "must be from 1 to \(Self.maxHistory)") }
    let part: MessageRange
    switch range.start {
    case .newest: part = .newest
    case .before(let message):
      try requireRow(message, field: "before")
      part = .before(message.number)
    case .after(let message):
      try requireRow(message, field: "after")
      part = .after(message.number)
    }
    guard !caller.muted.isEmpty else { return .history(id, part, limit: range.limit, viewer: caller.user) }
    return .visibleHistory(id, part, limit: range.limit, viewer: caller.user, hiding: caller.muted)
  }

  /// Checks that a message exists or existed.
  func requireRow(_ message: MessageID, field: String) throws(ChatError) {
    guard state.window.record(message.number) != nil else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: field)
    }
  }

  /// The most messages of one `conversation.history`.
  private static let maxHistory = 100

  private mutating func append(
    _ message: OutgoingMessage, by caller: Caller, _ place: ParticipantRecord?, at moment: Moment, key: SendKey?
  ) -> MessageRecord {
    let step = advance(at: moment)
    var place = place
    if thread != nil, let speaker = place, state.roster[speaker.user] == nil {
      join(speaker.user, ParticipantPatch(access: .set(speaker.access)), step)
      place = state.roster[speaker.user]
    }
    // Who speaks without a place is the application itself.
    let record = MessageRecord(
      number: step.revision, revision: step.revision, type: place == nil ? .system : .user, sender: place?.user, custom: message.custom,
      createdAt: step.time, editedAt: nil, referenced: message.referenced?.number, origin: caller.origin, content: message.content,
      isDeleted: false)
    state.window.append(record)
    state.numbers.append(record.number, by: record.sender)
    batch.changes.append(.appendMessage(id, record, key: key))
    if var place {
      // Own messages are read, so that they never count as unread.
      place.readMarker = record.number
      place.readUntil = record.createdAt
      place.isMarkedUnread = false
      put(place, at: step.revision)
      if typing.end(place.user) { noteTypists([place.user]) }
    }
    if thread != nil {
      state.record?.replyCount += 1
      outbox.dirt.replies = true
    }
    outbox.dirt.messages = true
    outbox.dirt.everyViewer = true
    return record
  }

  private func repeated(_ first: SentMessage, _ requestHash: Int64, by caller: Caller) throws(ChatError) -> ChatReply {
    guard first.requestHash == requestHash else {
      throw ChatError(.conflict, "Another message was sent with this clientMessageId", field: "clientMessageId")
    }
    return .sent(state.window.living(first.number).map { snapshot(of: $0, for: caller.user) }, isDuplicate: true)
  }

  private func checkReference(_ message: OutgoingMessage, by caller: Caller, isSystem: Bool) throws(ChatError) {
    guard let referenced = message.referenced else { return }
    guard let target = state.window.living(referenced.number) else {
      throw ChatError(.notFound, "There is no such message in this conversation", field: "referencedMessage")
    }
    guard target.type == .user, !isSystem else {
      throw .invalid("referencedMessage", "must be a user's message, and so must its answer be")
    }
    try require(caller.permissions.reply, of: caller, on: target.sender, to: "reply to")
  }
}
