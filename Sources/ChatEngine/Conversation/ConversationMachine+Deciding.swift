import ChatModel

/// The cycle of asking, deciding and committing.
extension ConversationMachine {
  /// Asks, decides and completes until the store has to be waited for or nothing waits, and ends the event.
  mutating func proceed(_ begun: Output = Output(), at moment: Moment) -> [EngineAction] {
    var output = begun
    if isOutdated, flight.isNone { readAgain() }
    while flight.isNone, !queue.isEmpty || needsShowing {
      let queries = missingFacts()
      guard queries.isEmpty else {
        flight = .reading(queries)
        output.question = .read(queries)
        break
      }
      outbox.isStale = false
      outbox.dirt.viewers.formUnion(outbox.lateLists)
      outbox.lateLists = []
      decideBatch(&output, at: moment)
      guard !batch.isChanged else {
        // Last and once, however many changes there were: it carries the revision and the clock of them all.
        if let record = state.record, batch.changes.first != .putConversation(record) {
          batch.changes.append(.putConversation(record))
        }
        flight = .committing
        output.question = .commit(ChangeSet(batch.changes))
        break
      }
      completeBatch(&output, at: moment)
    }
    if queue.isEmpty, flight.isNone { dropFacts() }
    return finish(output, at: moment)
  }

  /// Shows what may be shown, and ends the event.
  mutating func finish(_ begun: Output, at moment: Moment) -> [EngineAction] {
    var output = begun
    if !flight.isCommitting { show(&output, at: moment) }
    // What is shown at a time of its own may find lists of which that is not known.
    if flight.isNone, outbox.retryAt == nil, !outbox.lateLists.isEmpty {
      let queries = missingFacts()
      flight = .reading(queries)
      output.question = .read(queries)
    }
    output.wake = outbox.wish(typingEnds: typing.nextEnd, waitEnds: limiter.nextEnd)
    return output.actions
  }

  /// Whether something waits to be shown until the store was asked.
  var needsShowing: Bool { outbox.isStale && (!audience.isEmpty || thread != nil) || !outbox.lateLists.isEmpty }

  private mutating func decideBatch(_ output: inout Output, at moment: Moment) {
    batch = Batch()
    // What this batch changes may change them: the next one asks again.
    defer { (sights, files) = ([:], [:]) }
    while !batch.isClosed, batch.count < Batch.limit, let entry = queue.first() {
      if batch.count > 0, needsNewBatch(entry) { return }
      _ = queue.popFirst()
      batch.count += 1
      switch entry {
      case .call(let call, let operation, let caller): decide(operation, by: caller, as: call, &output, at: moment)
      case .subscribe(let subscriber, let from):
        batch.opened.append((subscriber, from))
        if let viewer = audience[subscriber]?.viewer { batch.openers.insert(viewer) }
      case .loadMore(let subscriber, let count): decideGrowth(of: subscriber, by: count, &output)
      }
    }
  }

  /// Whether an entry has to wait until what was decided before it is kept and shown.
  private func needsNewBatch(_ entry: CallQueue.Entry) -> Bool {
    // Nobody comes and goes unseen in one batch, and who subscribed before they came or went sees both states.
    if movesTwice(entry) { return true }
    // A window can grow only after it was opened.
    if case .loadMore(let id, _) = entry, audience.view(of: id) == nil { return true }
    // A decision may have made facts necessary that were not asked for.
    return lacksFacts(entry)
  }

  private mutating func decide(
    _ operation: ConversationOperation, by caller: Caller, as call: CallID, _ output: inout Output, at moment: Moment
  ) {
    let answer: Batch.Answer
    do throws(ChatError) {
      if case .history(let range) = operation {
        answer = .history(call, try history(range, by: caller))
      } else if case .send(let message) = operation {
        // One that waits for its turn is decided again when that comes.
        guard let sent = try send(message, by: caller, as: call, at: moment) else { return }
        answer = .reply(call, .success(sent))
      } else if case .here(let limit, let user) = operation {
        answer = .present(call, try here(limit: limit, after: user, by: caller, at: moment))
      } else if case .listReports(let range) = operation {
        answer = .reports(call, try listReports(range, by: caller))
      } else {
        answer = .reply(call, .success(try reply(to: operation, by: caller, at: moment)))
      }
    } catch {
      answer = .reply(call, .failure(error))
    }
    // Behind a change even a refusal rests on a state that the store may not keep.
    if batch.isChanged { batch.held.append(answer) } else { output.answer(answer, in: id) }
  }

  /// Decides a call; throws before anything is changed.
  private mutating func reply(
    to operation: ConversationOperation, by caller: Caller, at moment: Moment
  ) throws(ChatError) -> ChatReply {
    switch operation {
    case .createIfNotExists(let new): try createIfNotExists(new, by: caller, at: moment)
    case .set(let patch): try set(patch, by: caller, at: moment)
    case .deleteFields(let fields): try deleteFields(fields, by: caller, at: moment)
    case .get: .conversation(snapshot(for: caller))
    case .delete: try delete(by: caller, at: moment)
    // Answered by the store itself, see `decide`.
    case .history, .here, .send, .listReports: .done
    case .markAsRead(let upTo): try markAsRead(upTo, by: caller, at: moment)
    case .markAsUnread: try markAsUnread(by: caller, at: moment)
    case .markAsTyping: try markAsTyping(by: caller, at: moment)
    case .startTyping: try startTyping(by: caller, at: moment)
    case .stopTyping: try stopTyping(by: caller, at: moment)
    case .getMessage(let message): getMessage(message, by: caller)
    case .getThread: try getThread(by: caller)
    case .editMessage(let message, let edit): try editMessage(message, edit, by: caller, at: moment)
    case .deleteMessage(let message): try deleteMessage(message, by: caller, at: moment)
    case .deleteMessageFields(let message, let fields): try deleteMessageFields(message, fields, by: caller, at: moment)
    case .addReaction(let message, let emoji): try addReaction(emoji, to: message, by: caller, at: moment)
    case .removeReaction(let message, let emoji): try removeReaction(emoji, from: message, by: caller, at: moment)
    case .pin(let message): try pin(message, by: caller, at: moment)
    case .unpin: try unpin(by: caller, at: moment)
    case .getParticipant(let user): try getParticipant(user, by: caller)
    case .createParticipant(let user, let patch): try createParticipant(user, patch, by: caller, at: moment)
    case .setParticipant(let user, let patch): try setParticipant(user, patch, by: caller, at: moment)
    case .editParticipant(let user, let patch): try editParticipant(user, patch, by: caller, at: moment)
    case .deleteParticipant(let user): try deleteParticipant(user, by: caller, at: moment)
    case .deleteParticipantFields(let user, let fields): try deleteParticipantFields(user, fields, by: caller, at: moment)
    case .restrict(let user, let restriction): try restrict(user, restriction, by: caller, at: moment)
    case .listRestrictions(let range): try listRestrictions(range, by: caller)
    case .report(let message, let reason): try report(message, reason: reason, by: caller, at: moment)
    case .dismissReports(let message): try dismissReports(message, by: caller, at: moment)
    case .invite(let users): try invite(users, by: caller, at: moment)
    case .listInvitees(let range): try listInvitees(range, by: caller)
    }
  }

  /// Whether an entry may let somebody come or go.
  private func movesTwice(_ entry: CallQueue.Entry) -> Bool {
    guard case .call(_, let operation, let caller) = entry else { return false }
    switch operation {
    case .delete: return !outbox.dirt.moved.isEmpty || !batch.opened.isEmpty
    case .createIfNotExists(let new): return wasMoved(caller.user) || new.with.map(wasMoved) == true
    case .set: return wasMoved(caller.user)
    // In a thread it may be the sender's first.
    case .send: return thread != nil && outbox.dirt.gone[caller.user] != nil
    case .createParticipant(let user, _), .setParticipant(let user, _), .deleteParticipant(let user), .restrict(let user, _):
      return wasMoved(user)
    case .deleteFields, .get, .getThread, .history, .markAsRead, .markAsUnread, .markAsTyping, .startTyping, .stopTyping, .getMessage,
      .editMessage, .deleteMessage, .deleteMessageFields, .addReaction, .removeReaction, .pin, .unpin, .getParticipant, .editParticipant,
      .deleteParticipantFields, .listRestrictions, .here, .report, .listReports, .dismissReports, .invite, .listInvitees:
      return false
    }
  }

  /// Whether a user came, went or subscribed in this batch.
  private func wasMoved(_ user: UserID) -> Bool {
    outbox.dirt.moved.contains(user) || batch.openers.contains(user)
  }

  // MARK: The end of a batch

  /// The batch is kept, or had nothing to keep: its answers and snapshots go out.
  mutating func completeBatch(_ output: inout Output, at moment: Moment) {
    let done = batch
    batch = Batch()
    for answer in done.held { output.answer(answer, in: id) }
    for opened in done.opened { activate(opened.id, from: opened.from) }
    let refusals = done.growths.map { grow($0) }
    show(&output, at: moment)
    for (growth, refusal) in zip(done.growths, refusals) {
      let result: Result<ChatReply, ChatError> = refusal.map { .failure($0) } ?? .success(.loadedAll(isLoaded(growth.subscriber)))
      output.lateReplies += audience.grown(growth.subscriber).map { .reply($0, result) }
    }
  }

  /// The batch is not kept: its calls are refused, and the state in memory, which is ahead of the store, is thrown away.
  ///
  /// Leases of typing that ended with a refused send stay ended: they are not stored, and the user has ceased to type.
  mutating func abandonBatch(_ error: StoreError, _ output: inout Output) {
    let failed = batch
    batch = Batch()
    let refusal = ChatError.unavailable(error)
    for answer in failed.held { output.replies.append(.reply(answer.call, .failure(refusal))) }
    for growth in failed.growths {
      output.replies += audience.grown(growth.subscriber).map { .reply($0, .failure(refusal)) }
    }
    queue.prepend(failed.opened.filter { audience[$0.id] != nil }.map { .subscribe($0.id, from: $0.from) })
    state = ConversationState(id: id)
    present = PresentUsers()
    outbox.dirt = Dirt()
    outbox.dirt.markEverything()
    outbox.isStale = true
  }

  /// The store could not answer: calls are refused, subscriptions wait for a better time.
  mutating func giveUp(_ error: StoreError, at moment: Moment) -> [EngineAction] {
    var output = Output()
    let refusal = ChatError.unavailable(error)
    for entry in queue.removeCalls() {
      switch entry {
      case .call(let call, _, _):
        _ = limiter.takeTurn(call)
        output.replies.append(.reply(call, .failure(refusal)))
      case .loadMore(let subscriber, _): output.replies += audience.grown(subscriber).map { .reply($0, .failure(refusal)) }
      case .subscribe: break
      }
    }
    if !queue.isEmpty || needsShowing { outbox.retryAt = moment.tick &+ Self.retryMs }
    return finish(output, at: moment)
  }

  /// Milliseconds until the store is asked again for what subscribers wait for.
  private static let retryMs: UInt64 = 1000
}
