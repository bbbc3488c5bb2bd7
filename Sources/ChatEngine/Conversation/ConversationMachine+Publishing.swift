import ChatModel

/// Shows what has changed to those who have not seen it.
extension ConversationMachine {
  /// Builds each distinct view of each topic that changed once, and shows it to all who have not seen it.
  mutating func show(_ output: inout Output, at moment: Moment) {
    guard state.isLoaded, !outbox.isStale, !isOutdated else { return }
    let dirt = outbox.takeDirt()
    tellOfMoves(dirt, &output, at: moment)
    tellThreads(dirt, &output, at: moment)
    if dirt.everyoneMoved {
      for viewer in audience.viewers { regroup(viewer) }
    } else {
      for viewer in dirt.moved.union(dirt.marked) { regroup(viewer) }
    }
    if dirt.isMuteInDoubt || !dirt.came.isEmpty { regroupMuting() }
    for kind in [TopicKind.conversation, .messages, .participants, .typing] {
      let isDirty = dirt.includes(kind)
      let fresh = audience.freshGroups(of: kind)
      if isDirty || !fresh.isEmpty, window(of: kind) != nil, let lowest = audience.lowestFloor(of: kind) {
        audience.raiseFloors(of: kind, to: bound(of: kind, from: lowest))
      }
      // Raised floors may have joined groups, so they are looked up after it.
      var numbers = isDirty ? audience.groups(of: kind) : audience.freshGroups(of: kind)
      if kind == .conversation, !isDirty {
        let changed =
          dirt.viewers.flatMap { audience.numbers(of: .conversation, for: $0) }
          + (dirt.messages ? audience.hidingNumbers(of: .conversation) : [])
        if !changed.isEmpty { numbers = Set(numbers + changed).sorted() }
      }
      let shared = kind == .conversation && !numbers.isEmpty ? sharedHash() : 0
      output.publishes.reserveCapacity(output.publishes.count + numbers.count)
      for number in numbers { show(kind, toGroup: number, shared, &output) }
    }
    tellLists(dirt, &output, at: moment)
  }

  /// Shows a group its view.
  ///
  /// Where a hash is cheaper than the snapshot, the snapshot is built only when somebody has to see it.
  private mutating func show(_ kind: TopicKind, toGroup number: Int, _ shared: Int, _ output: inout Output) {
    guard let view = audience.view(ofGroup: number) else { return }
    let hiding = audience.hiding(ofGroup: number)
    switch kind {
    case .messages:
      let receivers = audience.show(messagesHash(view, hiding), to: number)
      if !receivers.isEmpty { output.publishes.append(.publish(.messages(id), messages(view, hiding), to: receivers)) }
    case .participants:
      let snapshot = participants(view)
      let receivers = audience.show(snapshot.hashValue, to: number)
      if !receivers.isEmpty { output.publishes.append(.publish(.participants(id), snapshot, to: receivers)) }
    case .typing:
      let snapshot = typingSnapshot(view, hiding)
      let receivers = audience.show(snapshot.hashValue, to: number)
      if !receivers.isEmpty { output.publishes.append(.publish(.typing(id), snapshot, to: receivers)) }
    case .conversation, .conversations, .invitations, .user, .online:
      var place: ParticipantRecord?
      if case .viewer(let viewer) = view { place = self.place(of: viewer) }
      let own = hiding.isEmpty ? shared : sharedHash(hiding: hiding)
      let receivers = audience.show(place.map { conversationHash($0, own, hiding: hiding) } ?? 0, to: number)
      guard !receivers.isEmpty else { return }
      output.publishes.append(
        .publish(.conversation(id), .conversation(place.flatMap { snapshot(for: $0.user, hiding: hiding) }), to: receivers))
    }
  }

  // MARK: Snapshots

  /// The conversation as a user sees it; nil for those who do not take part.
  ///
  /// An application that takes no part sees it as from a place of its own that was always there.
  mutating func snapshot(for caller: Caller) -> ConversationSnapshot? {
    snapshot(for: caller.user, isApplication: caller.isApplication, hiding: hiding(caller.muted))
  }

  /// The same, as if some users' messages were not there.
  mutating func snapshot(for user: UserID, isApplication: Bool = false, hiding users: Set<UserID> = []) -> ConversationSnapshot? {
    guard let record = state.record else { return nil }
    let viewer: ParticipantRecord
    if let place = place(of: user) {
      viewer = place
    } else {
      guard isApplication else { return nil }
      viewer = ParticipantRecord(user: user, notify: .never, joinedAt: record.createdAt, revision: record.revision)
    }
    let own = state.marks[user]
    return ConversationSnapshot(
      record: record, viewer: viewer, lastMessage: lastMessage(hiding: users)?.seen(with: own),
      unreadMessageCount: state.numbers.unread(after: viewer.readMarker, hiding: users),
      everyoneReadUntil: showsReceipts ? state.roster.lowestReadUntil() : nil, pinnedMessage: pinnedView()?.snapshot.seen(with: own))
  }

  /// A message with its sender and its quote, as a user sees it.
  func snapshot(of record: MessageRecord, for viewer: UserID) -> MessageSnapshot { snapshot(of: record).seen(with: state.marks[viewer]) }

  /// A message with its sender and its quote, as those see it who reacted to nothing.
  func snapshot(of record: MessageRecord) -> MessageSnapshot {
    SnapshotBuilder.message(record, in: id, quoted: record.referenced.flatMap { state.window.living($0) }) { users.snapshot($0) }
  }

  /// A participant with the user.
  func snapshot(of record: ParticipantRecord) -> ParticipantSnapshot {
    ParticipantSnapshot(user: users.snapshot(record.user), record: record)
  }

  /// A message of the window; built again only when something in it has changed.
  mutating func messageView(at index: Int) -> MessageWindow.View {
    if let view = state.window.items[index].view { return view }
    let view = MessageWindow.View(snapshot(of: state.window.items[index].record))
    state.window.keep(view, at: index)
    return view
  }

  /// The pinned message; built again only when something in it has changed.
  private mutating func pinnedView() -> MessageWindow.View? {
    guard let number = state.record?.pinned, let item = state.window.item(number) else { return nil }
    if let view = item.view { return view }
    let view = MessageWindow.View(snapshot(of: item.record))
    state.window.keep(view, of: number)
    return view
  }

  /// The hash of a message of the window, without a copy of its snapshot.
  private mutating func messageHash(at index: Int) -> Int { state.window.items[index].view?.hash ?? messageView(at: index).hash }

  /// The bytes that a message of the window is reckoned with.
  mutating func messageBytes(at index: Int) -> Int { state.window.items[index].view?.bytes ?? messageView(at: index).bytes }

  /// The hash of what all viewers see of the conversation.
  private mutating func sharedHash(hiding users: Set<UserID> = []) -> Int {
    guard let record = state.record else { return 0 }
    var hasher = Hasher()
    hasher.combine(record.subject)
    hasher.combine(record.photoUrl)
    hasher.combine(record.welcomeMessages)
    hasher.combine(record.custom)
    hasher.combine(record.createdAt)
    if !users.isEmpty {
      hasher.combine(lastMessage(hiding: users))
    } else if let last = state.window.items.indices.last {
      hasher.combine(messageHash(at: last))
    }
    hasher.combine(showsReceipts ? state.roster.lowestReadUntil() : nil)
    hasher.combine(pinnedView()?.hash)
    return hasher.finalize()
  }

  /// The hash of what one viewer sees of the conversation.
  private func conversationHash(_ place: ParticipantRecord, _ shared: Int, hiding users: Set<UserID> = []) -> Int {
    var hasher = Hasher()
    hasher.combine(shared)
    hasher.combine(place.joinedAt)
    hasher.combine(place.access)
    hasher.combine(place.notify)
    hasher.combine(place.readUntil)
    let unread = state.numbers.unread(after: place.readMarker, hiding: users)
    hasher.combine(unread)
    hasher.combine(unread > 0 || place.isMarkedUnread)
    let own = state.marks[place.user]
    if !own.isEmpty {
      own.hash(lastRecord(hiding: users), into: &hasher)
      own.hash(state.pinnedMessage, into: &hasher)
    }
    return hasher.finalize()
  }

  private mutating func messagesHash(_ view: Audience.View, _ hiding: Set<UserID>) -> Int {
    guard case .floor(let floor, let own) = view else { return 0 }
    var hasher = Hasher()
    hasher.combine(state.numbers.hasOlder(than: floor))
    for index in state.window.firstIndex(from: floor)..<state.window.items.count where isSeen(index, hiding: hiding) {
      hasher.combine(messageHash(at: index))
      if !own.isEmpty { own.hash(state.window.items[index].record, into: &hasher) }
    }
    return hasher.finalize()
  }

  private mutating func messages(_ view: Audience.View, _ hiding: Set<UserID>) -> TopicSnapshot {
    guard case .floor(let floor, let own) = view else { return .messages(nil, loadedAll: true) }
    let all = (state.window.firstIndex(from: floor)..<state.window.items.count).reversed()
    let shown = all.filter { isSeen($0, hiding: hiding) }
    return .messages(shown.map { messageView(at: $0).snapshot.seen(with: own) }, loadedAll: !state.numbers.hasOlder(than: floor))
  }

  private func participants(_ view: Audience.View) -> TopicSnapshot {
    guard let floor = view.floor else { return .participants(nil, loadedAll: true) }
    let shown = state.roster.newestFirst(from: floor).map { snapshot(of: $0) }
    return .participants(shown, loadedAll: !state.roster.hasOlder(than: floor))
  }

  private func typingSnapshot(_ view: Audience.View, _ hiding: Set<UserID>) -> TopicSnapshot {
    switch view {
    case .none, .floor: .typing(nil)
    case .shared: .typing(typing.snapshot(for: nil, hiding: hiding, users: users))
    case .viewer(let viewer): .typing(typing.snapshot(for: viewer, hiding: hiding, users: users))
    }
  }

  // MARK: Who sees whom

  private func tellOfMoves(_ dirt: Dirt, _ output: inout Output, at moment: Moment) {
    guard !moment.guestSightUsers.isEmpty else { return }
    let moved = dirt.came.union(dirt.gone.keys).intersection(moment.guestSightUsers)
    if !moved.isEmpty { output.moves.append(.membersMoved(moved.sorted())) }
  }

  // MARK: Lists of conversations

  private mutating func tellLists(_ dirt: Dirt, _ output: inout Output, at moment: Moment) {
    if !dirt.invitations.isEmpty { output.lists.append(.invitationsChanged(dirt.invitations.sorted())) }
    for (user, revision) in dirt.gone {
      outbox.told[user] = nil
      guard moment.listUsers.contains(user), state.roster[user] == nil else { continue }
      output.lists.append(.updateList(user, id, revision: revision, nil))
    }
    touchLists(dirt, &output, at: moment)
    guard dirt.everyViewer || !dirt.viewers.isEmpty, let revision = state.record?.revision else { return }
    let readers = listReaders(dirt, at: moment)
    guard !readers.isEmpty else { return }
    let shared = sharedHash()
    for user in readers {
      guard let place = state.roster[user] else { continue }
      guard state.marks.settles(user) else {
        outbox.lateLists.insert(user)
        continue
      }
      let hash = conversationHash(place, shared)
      if outbox.told.updateValue(hash, forKey: user) != hash {
        output.lists.append(.updateList(user, id, revision: revision, snapshot(for: user)))
      }
    }
  }

  /// The participants with a live list whose entry may have changed.
  private mutating func listReaders(_ dirt: Dirt, at moment: Moment) -> [UserID] {
    guard dirt.everyViewer else {
      // A list that is opened later starts from the store: what an earlier one was told does not count any more.
      for user in dirt.viewers where !moment.listUsers.contains(user) { outbox.told[user] = nil }
      return dirt.viewers.filter { moment.listUsers.contains($0) }
    }
    for user in outbox.told.keys where !moment.listUsers.contains(user) { outbox.told[user] = nil }
    if moment.listUsers.count < state.roster.count { return moment.listUsers.filter { state.roster[$0] != nil } }
    return state.roster.users.filter { moment.listUsers.contains($0) }
  }

  // MARK: What changed

  /// Notes which topics show a user who changed.
  mutating func noteChange(of user: UserID, at moment: Moment) {
    let due = moment.tick &+ UInt64(max(0, settings.coalesceMs))
    if state.window.forgetViews(showing: user) { outbox.coalesce(.messages, until: due) }
    let isOnDisplay = [state.lastMessage, state.pinnedMessage].contains { $0.map { state.window.shows($0, user) } ?? false }
    if isOnDisplay { outbox.coalesce(.conversation, until: due) }
    if let place = state.roster[user], let floor = audience.lowestFloor(of: .participants), place.joinedRevision >= floor {
      outbox.coalesce(.participants, until: due)
    }
    if typing.contains(user) { outbox.coalesce(.typing, until: due) }
  }

  /// Notes that users began or ceased to type.
  mutating func noteTypists(_ users: some Collection<UserID>) {
    guard !users.isEmpty else { return }
    outbox.dirt.typing = true
    outbox.dirt.moved.formUnion(users)
  }

  /// Notes that a participant's marker moved; the lowest of all is part of what everybody sees.
  mutating func noteReading(by user: UserID, lowestBefore: Timestamp?) {
    outbox.dirt.viewers.insert(user)
    if state.roster.lowestReadUntil() != lowestBefore, showsReceipts { outbox.dirt.everyViewer = true }
  }

  private var showsReceipts: Bool { state.record.map { settings.receipts.contains($0.type) } ?? false }
}

extension OwnReactions {
  /// Hashes what a viewer sees of their own on a message and on what it answers; nothing where there is nothing.
  fileprivate func hash(_ record: MessageRecord?, into hasher: inout Hasher) {
    guard let record else { return }
    for number in [record.number, record.referenced ?? 0] where !self[number].isEmpty {
      hasher.combine(number)
      hasher.combine(self[number])
    }
  }
}
