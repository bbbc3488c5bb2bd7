import ChatModel

/// What decisions need to know before they can be made.
///
/// The facts that are asked for before a batch suffice to decide all of it and to show its outcome: what a deletion uncovers is
/// asked for beforehand too.
extension ConversationMachine {
  /// A guest, and a user whom they want to bring in.
  struct Sight: Hashable {
    let guest: UserID
    let user: UserID
  }

  /// What entries lack.
  private struct Wanted {
    var users: Set<UserID> = []
    var messages: Set<MessageNumber> = []
    var sends: Set<SentKeys.Name> = []
    var sights: Set<Sight> = []
    /// Users of whom it has to be known what they reacted with.
    var marks: Set<UserID> = []
    var files: Set<FileWish> = []
    /// Whose places in the conversation of a thread's root.
    var places: Set<UserID> = []
    /// How many of the newest messages have to be in memory.
    var newest = 1
    /// How many messages may be deleted.
    var deletions = 0
    /// Down to where a window reaches; `max` for none.
    var floor: MessageNumber = .max
    /// The mute lists of those who are shown what is newest.
    var muted: Set<Set<UserID>> = []
  }

  /// The one question that gathers all facts that the first entries lack.
  func missingFacts() -> [StoreQuery] {
    var wanted = Wanted()
    for entry in queue.prefix(Batch.limit) { want(entry, &wanted) }
    wantShown(&wanted)
    wanted.marks.formUnion(outbox.lateLists)
    return queries(wanted)
  }

  /// Whether an entry cannot be decided yet.
  func lacksFacts(_ entry: CallQueue.Entry) -> Bool {
    var wanted = Wanted()
    want(entry, &wanted)
    return !queries(wanted).isEmpty
  }

  private func queries(_ wanted: Wanted) -> [StoreQuery] {
    var queries: [StoreQuery] = []
    if !state.isLoaded {
      queries.append(.conversation(id))
      if wanted.newest > 1 { queries.append(.messages(id, .newest, limit: wanted.newest)) }
      if !wanted.muted.isEmpty { queries.append(.senders(id)) }
    } else if state.record != nil {
      let floor = min(wanted.floor, state.numbers.floor(ofNewest: wanted.newest + wanted.deletions))
      if let page = state.missingPage(from: floor) { queries.append(page) }
      if !wanted.muted.isEmpty, state.numbers.senders == nil { queries.append(.senders(id)) }
      if let lowest = state.numbers.lowest, state.numbers.isShort(afterDeleting: wanted.deletions) {
        queries.append(.messages(id, .before(lowest), limit: Batch.limit))
      }
    }
    if let thread, !thread.isSettled || !wanted.places.isEmpty { queries.append(.root(thread.root, of: wanted.places.sorted())) }
    var messages = wanted.messages
    for number in newestSeen(wanted) where !state.window.settles(number) { messages.insert(number) }
    for number in messages.sorted() { queries.append(.message(id, number)) }
    queries += state.marks.missing(wanted.marks, viewers: audience.viewers, in: id)
    if !wanted.users.isEmpty { queries.append(.users(wanted.users.sorted())) }
    let sights = wanted.sights.sorted { ($0.guest, $0.user) < ($1.guest, $1.user) }
    for sight in sights { queries.append(.areTogether(sight.guest, sight.user)) }
    let sends = wanted.sends.sorted { ($0.sender, $0.clientMessageId) < ($1.sender, $1.clientMessageId) }
    for wish in wanted.files.sorted(by: { ($0.file.text, $0.user?.text ?? "") < ($1.file.text, $1.user?.text ?? "") }) {
      queries.append(.file(wish.file, for: wish.user))
    }
    for send in sends { queries.append(.sent(id, send.sender, clientMessageId: send.clientMessageId)) }
    return queries
  }

  /// What those who muted somebody see as the newest message, also behind the deletions.
  private func newestSeen(_ wanted: Wanted) -> Set<MessageNumber> {
    guard state.record != nil, state.numbers.senders != nil else { return [] }
    return Set(wanted.muted.flatMap { state.numbers.newest(1 + wanted.deletions, hiding: hiding($0)) })
  }

  private func want(_ entry: CallQueue.Entry, _ wanted: inout Wanted) {
    switch entry {
    case .call(_, let operation, let caller):
      wantPlace(of: caller.user, &wanted)
      want(operation, by: caller, &wanted)
    case .subscribe(let id, let from): wantFirstWindow(of: id, from: from, &wanted)
    case .loadMore(let id, let count): wantOlder(for: id, count, &wanted)
    }
  }

  private func want(_ operation: ConversationOperation, by caller: Caller, _ wanted: inout Wanted) {
    if caller.isActing { want(caller.user, &wanted) }
    // Nearly all of them answer with something that shows messages.
    if !state.marks.isEmpty { wanted.marks.insert(caller.user) }
    if !caller.muted.isEmpty, operation.showsConversation { wanted.muted.insert(caller.muted) }
    switch operation {
    case .createIfNotExists(let new):
      want(caller.user, &wanted)
      if let other = new.with { wantJoining(other, by: caller, &wanted) }
    case .set, .markAsTyping, .startTyping:
      want(caller.user, &wanted)
    case .send(let message):
      want(caller.user, &wanted)
      wantNames(in: message.content, &wanted)
      wantFiles(in: message.content, by: caller, &wanted)
      wantSend(message, by: caller.user, &wanted)
    case .history(let range):
      switch range.start {
      case .newest: break
      case .before(let message), .after(let message): wantRow(message.number, &wanted)
      }
    case .markAsRead(let upTo):
      if let upTo { wantRow(upTo.number, &wanted) }
    case .getMessage(let message), .deleteMessageFields(let message, _), .addReaction(let message, _), .removeReaction(let message, _),
      .pin(let message):
      wantMessage(message.number, &wanted)
    case .editMessage(let message, let edit):
      wantMessage(message.number, &wanted)
      guard let content = edit.content else { break }
      wantNames(in: content, &wanted)
      wantFiles(in: content, by: caller, &wanted)
    case .deleteMessage(let message):
      wantMessage(message.number, &wanted)
      wanted.deletions += 1
    case .createParticipant(let user, _), .setParticipant(let user, _): wantJoining(user, by: caller, &wanted)
    case .getParticipant(let user), .editParticipant(let user, _), .deleteParticipantFields(let user, _), .restrict(let user, _):
      want(user, &wanted)
    case .report(let message, reason: _): wantMessage(message.number, &wanted)
    case .listReports, .dismissReports: break
    case .invite(let users): for user in users { wantJoining(user, by: caller, &wanted) }
    case .listInvitees(let range):
      for record in range.page(of: state.invitations.values, user: \.user).records { want(record.user, &wanted) }
    case .listRestrictions(let range): for record in state.restrictions.page(range).records { want(record.user, &wanted) }
    case .deleteFields, .get, .getThread, .delete, .markAsUnread, .stopTyping, .deleteParticipant, .here, .unpin: break
    }
  }

  private func wantPlace(of user: UserID, _ wanted: inout Wanted) {
    if let thread, !thread.settles(user) { wanted.places.insert(user) }
  }

  private func want(_ user: UserID, _ wanted: inout Wanted) {
    if !users.settles(user) { wanted.users.insert(user) }
  }

  /// The users whose names a new body shows.
  private func wantNames(in content: [ContentBlock], _ wanted: inout Wanted) {
    guard content.plain == nil else { return }
    for user in content.mentions where thread != nil || !state.isLoaded || state.roster[user] != nil {
      wantPlace(of: user, &wanted)
      want(user, &wanted)
    }
  }

  /// The files of a new body.
  private func wantFiles(in content: [ContentBlock], by caller: Caller, _ wanted: inout Wanted) {
    guard content.plain == nil else { return }
    for file in content.files {
      let wish = FileWish(file, by: caller)
      if files[wish] == nil { wanted.files.insert(wish) }
    }
  }

  /// A user whom a caller may bring in.
  private func wantJoining(_ user: UserID, by caller: Caller, _ wanted: inout Wanted) {
    want(user, &wanted)
    guard state.roster[user] == nil, let sight = sight(of: user, by: caller), sights[sight] == nil else { return }
    wanted.sights.insert(sight)
  }

  /// What has to be known before a caller brings a user in; nil for those who may know everybody.
  func sight(of user: UserID, by caller: Caller) -> Sight? {
    caller.kind == .guest && caller.user != user ? Sight(guest: caller.user, user: user) : nil
  }

  /// A message that is not deleted, with what it answers.
  private func wantMessage(_ number: MessageNumber, _ wanted: inout Wanted) {
    guard !state.isLoaded || state.record != nil else { return }
    guard state.window.settles(number) else {
      wanted.messages.insert(number)
      return
    }
    // Memory may know it only as what another one answers, and then not what it answers itself.
    guard let quoted = state.window.living(number)?.referenced, !state.window.settles(quoted) else { return }
    wanted.messages.insert(quoted)
  }

  /// A message or its tombstone.
  private func wantRow(_ number: MessageNumber, _ wanted: inout Wanted) {
    guard !state.isLoaded || state.record != nil, !state.window.settlesRow(number) else { return }
    wanted.messages.insert(number)
  }

  private func wantSend(_ message: OutgoingMessage, by sender: UserID, _ wanted: inout Wanted) {
    if let referenced = message.referenced { wantMessage(referenced.number, &wanted) }
    guard let clientMessageId = message.clientMessageId else { return }
    let name = SentKeys.Name(sender: sender, clientMessageId: clientMessageId)
    // A key that is too long is refused; the store need not look for it.
    if FieldChecks.isLonger(clientMessageId, than: ChatSettings.maxClientMessageIdLength) { return }
    if !state.sent.settles(name) { wanted.sends.insert(name) }
    if let first = state.sent[name] { wantMessage(first.number, &wanted) }
  }

  private func wantFirstWindow(of id: SubscriberID, from: WindowStart?, _ wanted: inout Wanted) {
    guard let subscriber = audience[id] else { return }
    if !state.marks.isEmpty { wanted.marks.insert(subscriber.viewer) }
    if !subscriber.muted.isEmpty { wanted.muted.insert(subscriber.muted) }
    wantPlace(of: subscriber.viewer, &wanted)
    switch subscriber.kind {
    case .messages:
      if state.isLoaded, thread == nil, state.roster[subscriber.viewer] == nil { return }
      wanted.newest = max(wanted.newest, settings.messages.initial)
      if state.isLoaded { wanted.floor = min(wanted.floor, firstFloor(.messages, from: from, hiding: hiding(for: id))) }
    case .participants:
      if thread != nil || state.roster[subscriber.viewer] != nil { wantUsers(from: firstFloor(.participants, from: from), &wanted) }
    case .conversation, .typing, .conversations, .invitations, .user, .online: break
    }
  }

  private func wantOlder(for id: SubscriberID, _ count: Int, _ wanted: inout Wanted) {
    guard let kind = audience[id]?.kind, let floor = audience.view(of: id)?.floor else { return }
    let older = grownFloor(kind, from: floor, by: count, hiding: hiding(for: id))
    if kind == .messages { wanted.floor = min(wanted.floor, older) } else { wantUsers(from: older, &wanted) }
  }

  private func wantUsers(from floor: Int64, _ wanted: inout Wanted) {
    for record in state.roster.newestFirst(from: floor) { want(record.user, &wanted) }
  }

  /// What the windows of the subscribers show, and would show to those who see nothing now and may join.
  private func wantShown(_ wanted: inout Wanted) {
    for id in audience.muting {
      if let muted = audience[id]?.muted { wanted.muted.insert(muted) }
    }
    if thread != nil { for viewer in audience.viewers { wantPlace(of: viewer, &wanted) } }
    if let floor = audience.lowestFloor(of: .messages) { wanted.floor = min(wanted.floor, floor) }
    if audience.number(of: .messages, .none) != nil { wanted.newest = max(wanted.newest, settings.messages.initial) }
    if let floor = audience.lowestFloor(of: .participants) { wantUsers(from: floor, &wanted) }
    if audience.number(of: .participants, .none) != nil {
      wantUsers(from: state.roster.floor(ofNewest: settings.participants.initial), &wanted)
    }
  }

  // MARK: Answers

  mutating func take(_ answer: StoreAnswer, to query: StoreQuery) {
    switch (query, answer) {
    case (.conversation, .conversation(let load)):
      state.load(load)
      if let load {
        takeUsers(of: load.newest)
        takeUsers(of: load.pinned)
      }
    case (.root(_, let users), .root(let load)):
      thread?.take(load, asked: users)
      takeRoot(users)
    case (.messages(_, let range, _), .messages(let page)):
      guard state.record != nil else { return }
      takeUsers(of: page)
      state.take(page, in: range)
      if state.numbers.senders != nil { outbox.dirt.isMuteInDoubt = true }
    case (.senders, .senders(let senders)):
      state.numbers.take(senders: senders)
      outbox.dirt.isMuteInDoubt = true
    case (.message(_, let number), .messages(let page)):
      takeUsers(of: page)
      state.take(page, as: number)
    case (.reactions(_, let asked, let messages), .reactions(let reactions)):
      outbox.dirt.marked.formUnion(state.marks.take(reactions, of: asked, on: messages))
    case (.users(let asked), .users(let records)):
      users.take(records, asked: asked)
    case (.sent(_, let sender, let clientMessageId), .sent(let message)):
      state.sent.take(SentKeys.Name(sender: sender, clientMessageId: clientMessageId), message)
    case (.areTogether(let guest, let user), .flag(let areTogether)):
      sights[Sight(guest: guest, user: user)] = areTogether
    case (.file(let file, let user), .file(let record)):
      files[FileWish(file: file, user: user)] = .some(record?.details)
    // An answer of another kind is a fault of the store's; the question is asked again.
    default: break
    }
  }

  /// Takes over what is forbidden users in the conversation of a thread's root, and plans the thread where there is none yet.
  private mutating func takeRoot(_ users: [UserID]) {
    guard let thread, state.isLoaded else { return }
    for user in users { state.restrictions[user] = thread.place(of: user)?.restriction }
    if state.record == nil {
      if let planned = thread.planned(id) { state.plan(planned) }
    } else if thread.message == nil {
      // It is going, and the machine is about to be told.
      isOutdated = true
    }
  }

  private mutating func takeUsers(of page: MessagePage) {
    users.take(page.users, asked: (page.messages + page.quoted).flatMap(\.people))
  }

  /// Forgets what only waiting entries needed.
  mutating func dropFacts() {
    state.sent.dropAnswers()
    state.window.dropUnquoted()
    trimWindow()
    dropMarks()
    thread?.dropUnused { audience.viewers.contains($0) }
    guard users.isCrowded else { return }
    let people = state.window.people
    users.dropUnused { [roster = state.roster, typing] in people.contains($0) || roster[$0] != nil || typing.contains($0) }
  }

  /// Forgets who reacted to what is not in memory any more.
  private mutating func dropMarks() {
    let changed = state.marks.keep { [window = state.window] in window.hasReactions($0) }
    outbox.dirt.marked.formUnion(changed)
    // Live lists are told of each message: forgotten, all of them would be asked for again with each.
    state.marks.dropUnused { [viewers = audience.viewers, told = outbox.told] in viewers.contains($0) || told[$0] != nil }
  }

  /// Drops messages that no subscriber's window reaches.
  mutating func trimWindow() {
    guard state.record != nil else { return }
    let kept = state.numbers.floor(ofNewest: settings.messages.initial)
    let floor = min(kept, audience.lowestFloor(of: .messages) ?? kept)
    // Not for a few: they would be asked for again by the next subscriber or deletion.
    guard state.window.firstIndex(from: floor) > 64 else { return }
    state.window.trim(to: floor)
  }
}
