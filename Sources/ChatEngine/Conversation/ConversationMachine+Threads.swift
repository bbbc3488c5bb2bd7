package import ChatModel

/// What a conversation tells its threads.
package enum ThreadNews: Hashable, Sendable {
  /// Users came or went, or may do something else than before.
  case places(Set<UserID>)
  /// The message of a thread was deleted.
  case ended(ConversationID)
  /// The conversation was deleted.
  case everything
}

/// Threads: conversations under a message of another one.
///
/// Who takes part in the root's conversation may read and write in its threads. A place of their own there, with a read marker and an entry in
/// their list, have those who replied or asked for one. The store keeps it so: with a place in the root's conversation those in its threads
/// go, and with the root its thread. A thread lives on the loop of its root's conversation, which tells it of changes after they are kept;
/// then it reads everything again.
extension ConversationMachine {
  // MARK: Of a thread

  /// The place in which a user stands.
  ///
  /// In a thread everybody has one who takes part in the root's conversation, as if they had read everything, until they get one of their own.
  func place(of user: UserID) -> ParticipantRecord? {
    guard let thread else { return state.roster[user] }
    // Of those who have one here the store was asked, whether or not it was asked of the other one.
    if let own = state.roster[user], !thread.settles(user) { return own }
    guard let record = state.record, let there = thread.place(of: user) else { return nil }
    guard var own = state.roster[user] else {
      return ParticipantRecord(user: user, access: there.access, notify: .never, joinedAt: record.createdAt, revision: record.revision)
    }
    own.access = there.access
    return own
  }

  /// The thread as a conversation, whether somebody replied or not.
  mutating func getThread(by caller: Caller) throws(ChatError) -> ChatReply {
    _ = try requireInside(caller)
    return .conversation(snapshot(for: caller))
  }

  /// Tells those who may read the root's conversation why they find no thread.
  func requireRoot(_ caller: Caller) throws(ChatError) {
    guard let thread, let refusal = thread.refusal, thread.hasConversation else { return }
    if thread.place(of: caller.user) != nil || caller.isApplication { throw refusal }
  }

  /// Lets pass who may reply to the root.
  func requireReplies(_ caller: Caller) throws(ChatError) {
    guard let thread else { return }
    try require(caller.permissions.reply, of: caller, on: thread.message?.sender, to: "reply to")
  }

  /// Refuses in a thread what is decided in the root's conversation.
  func refuseInThread(_ field: String? = nil) throws(ChatError) {
    guard thread != nil else { return }
    throw ChatError(.forbidden, "Who may do what in a thread follows from the conversation of its message", field: field)
  }

  /// Refuses in a thread to bring in, change or remove others, and to change anybody's access.
  func requireOwnInThread(_ user: UserID, _ patch: ParticipantPatch = ParticipantPatch(), by caller: Caller) throws(ChatError) {
    if user != caller.user { try refuseInThread("user") }
    if patch.access != .keep { try refuseInThread("access") }
  }

  /// The root's conversation changed: what was known of it is asked for again, with everything else.
  package mutating func rootChanged(_ news: ThreadNews, at moment: Moment) -> [EngineAction] {
    guard let thread else { return [] }
    switch news {
    case .places(let users):
      let isShown = users.contains { state.roster[$0] != nil || audience.viewers.contains($0) || typing.contains($0) }
      guard isShown || flight.isReading else {
        self.thread?.forget(users)
        return []
      }
      // Who may not type there any more does not: what anybody may do now is known only later.
      for user in users.sorted() where typing.end(user) { noteTypists([user]) }
    case .ended, .everything:
      if case .ended(let ended) = news, ended != thread.root.thread { return [] }
      noteTypists(typing.endAll())
    }
    isOutdated = true
    return proceed(at: moment)
  }

  /// Throws the state in memory away, because the store may have another one.
  mutating func readAgain() {
    isOutdated = false
    state.forget()
    thread?.forget()
    outbox.told = [:]
    outbox.dirt.markEverything()
    outbox.isStale = true
  }

  /// What the root is to show.
  private var summary: ThreadSummary {
    ThreadSummary(
      revision: max(state.record?.revision ?? 0, state.lastRevision), replyCount: state.record?.replyCount ?? 0,
      lastReplyAt: state.lastMessage?.createdAt)
  }

  // MARK: Of the conversation of roots

  /// A thread under one of the messages has other replies.
  package mutating func threadChanged(_ number: MessageNumber, _ summary: ThreadSummary, at moment: Moment) -> [EngineAction] {
    if flight.isReading { state.hear(of: number, summary) }
    guard state.window.noteThread(summary, under: number) else { return [] }
    noteMessage(number)
    return finish(Output(), at: moment)
  }

  /// Tells threads of their root's conversation, and a root of its thread.
  mutating func tellThreads(_ dirt: Dirt, _ output: inout Output, at moment: Moment) {
    if let thread {
      if dirt.replies { output.moves.append(.tellRoot(thread.root, summary)) }
      return
    }
    for (number, hadReplies) in dirt.ended.sorted(by: { $0.key < $1.key }) { end(number, hadReplies, &output, at: moment) }
    guard moment.threadRoots.contains(id) else { return }
    if state.record == nil, !dirt.gone.isEmpty {
      output.moves.append(.tellThreads(id, .everything))
    } else if !dirt.places.isEmpty {
      output.moves.append(.tellThreads(id, .places(dirt.places)))
    }
  }

  /// A message was deleted: its thread is over, and leaves the lists of those who had it there.
  private func end(_ number: MessageNumber, _ hadReplies: Bool, _ output: inout Output, at moment: Moment) {
    guard hadReplies || moment.threadRoots.contains(id), let root = ThreadRoot(MessageID(number, in: id), in: id) else { return }
    output.moves.append(.tellThreads(id, .ended(root.thread)))
    // Nothing comes after it: a deleted message does not come back.
    for user in moment.listUsers where state.roster[user] != nil {
      output.lists.append(.updateList(user, root.thread, revision: .max, nil))
    }
  }
}
