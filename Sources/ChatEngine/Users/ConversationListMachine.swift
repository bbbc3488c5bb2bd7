package import ChatModel

/// Decides what the subscribers of one user's list of conversations see, through one filter or none.
///
/// It first makes sure that every loop reports changes, then reads the list: a change is either in what was read, or is
/// reported. Reports that overtake the reading are kept and win by their revision.
package struct ConversationListMachine {
  private enum State: Hashable {
    /// Nobody watches. Next: `announcing`.
    case unwatched
    /// The loops are being told that the user has a list. Next: `reading`, `unwatched`.
    case announcing
    /// Pages are being read, one for each question. Next: `live`, `unwatched`.
    case reading([Question])
    /// What the open windows show is known and kept up to date. Next: `reading`, `unwatched`.
    case live
  }

  /// Why a page is being read.
  private enum Question: Hashable {
    case first
    case more(SubscriberID, after: ListCursor, count: Int)
    /// Whether something still lies below the deepest window.
    case end(after: ListCursor)
    /// All that the windows show, and a little more.
    case again(count: Int)
  }

  package let user: UserID
  /// Whose messages the list does not show; such a list is read again where something changed.
  package let muted: Set<UserID>
  private let filter: ConversationFilter?
  private let settings: ChatSettings
  private var state: State = .unwatched
  private var windows: [SubscriberID: ListWindow] = [:]
  private var entries = ConversationListEntries()
  /// When changes of users are shown, by the tick.
  private var publishAt: UInt64?
  /// When the first page is asked for again after the store failed, by the tick.
  private var retryAt: UInt64?
  /// When the list is read again because something changed, by the tick.
  private var rereadAt: UInt64?
  /// Before this tick it is not read again.
  private var rereadNotBefore: UInt64 = 0

  /// Makes the machine of a user whom nobody watches.
  package init(user: UserID, muted: Set<UserID> = [], filter: ConversationFilter? = nil, settings: ChatSettings) {
    self.user = user
    self.muted = muted
    self.filter = filter
    self.settings = settings
  }

  /// Whether nobody watches: the machine is to be forgotten, and an answer that is still on its way with it.
  package var isIdle: Bool { state == .unwatched }

  // MARK: - Subscribers

  /// A connection of the user wants to see the list.
  package mutating func subscribed(_ subscriber: SubscriberID, label: String?) -> [EngineAction] {
    windows[subscriber] = ListWindow(label: label)
    switch state {
    case .unwatched:
      state = .announcing
      return [.announceList(user, isLive: true)]
    case .announcing, .reading: return []
    case .live: return read([.first])
    }
  }

  /// A connection no longer watches; with the last one the list is forgotten.
  package mutating func unsubscribed(_ subscriber: SubscriberID) -> [EngineAction] {
    guard let window = windows.removeValue(forKey: subscriber) else { return [] }
    let replies = window.waiting.map { EngineAction.reply($0, .failure(Self.notActive)) }
    guard windows.isEmpty else { return replies }
    self = ConversationListMachine(user: user, muted: muted, filter: filter, settings: settings)
    return replies + [.announceList(user, isLive: false)]
  }

  /// A subscriber wants older entries; a call that arrives while a page is on its way gets the reply of that one.
  package mutating func loadMore(_ count: Int?, for subscriber: SubscriberID, as call: CallID) -> [EngineAction] {
    let limits = settings.conversations
    let asked = count ?? limits.defaultPage
    guard asked >= 1, asked <= limits.maxPage else {
      return [.reply(call, .failure(.invalid("count", "must be from 1 to \(limits.maxPage)")))]
    }
    guard let window = windows[subscriber], let depth = window.depth else { return [.reply(call, .failure(Self.notActive))] }
    guard case .floor(let floor) = depth else { return [.reply(call, .success(.loadedAll(true)))] }
    guard window.waiting.isEmpty else {
      windows[subscriber]?.waiting.append(call)
      return []
    }
    let room = settings.maxWindowItems - entries.count(downTo: depth)
    guard room > 0 else { return [.reply(call, .failure(Self.windowFull))] }
    windows[subscriber]?.waiting = [call]
    windows[subscriber]?.wanted = min(asked, room)
    guard state == .live else { return [] }
    return read([.more(subscriber, after: floor, count: min(asked, room))])
  }

  private static let notActive = ChatError(.notFound, "There is no active subscription to this topic", field: "topic")
  private static let windowFull = ChatError(.limitExceeded, "The list shows as many items as it may", field: "count")

  // MARK: - Changes

  /// Every loop reports changes of the user's conversations from now on.
  package mutating func loopsNoted() -> [EngineAction] {
    guard state == .announcing else { return [] }
    return read([.first])
  }

  /// A conversation of the user changed at a revision; nil when it is no longer theirs.
  ///
  /// What the filter does not let pass any more leaves the list like what is gone.
  package mutating func changed(_ conversation: ConversationID, revision: Int64, _ snapshot: ConversationSnapshot?) -> [EngineAction] {
    switch state {
    case .unwatched, .announcing: return []
    case .reading, .live:
      let isFilteredOut = snapshot.map { filter?.matches($0) == false } ?? false
      let shown = isFilteredOut ? nil : snapshot
      let actions = entries.note(conversation, revision: revision, shown, isFilteredOut: isFilteredOut) ? publish() : []
      guard state == .live, retryAt == nil, entries.isEndInDoubt else { return actions }
      return actions + next()
    }
  }

  /// Something changed in a conversation of the user: a list that hides somebody is read again, some changes at a time.
  package mutating func touched(at moment: Moment) -> [EngineAction] {
    guard state != .unwatched, state != .announcing, rereadAt == nil else { return [] }
    rereadAt = max(moment.tick &+ UInt64(max(0, settings.coalesceMs)), rereadNotBefore)
    return wish()
  }

  private mutating func readAgain(at moment: Moment) -> [EngineAction] {
    guard let due = rereadAt, moment.tick >= due else { return [] }
    rereadAt = nil
    guard state == .live, let deepest else { return touched(at: moment) }
    rereadNotBefore = moment.tick &+ Self.rereadPauseMs
    return read([.again(count: min(settings.maxWindowItems, entries.count(downTo: deepest) + Self.rereadSlack))])
  }

  /// Such a reading looks at every conversation of the user: where something changes all the time it is done once a second.
  private static let rereadPauseMs: UInt64 = 1_000
  /// How many entries beyond those that are shown are read again: new ones may have come.
  private static let rereadSlack = 20

  /// A user changed: whoever shows it shows it anew, gathered for a moment.
  package mutating func userChanged(_ changed: UserRecord, at moment: Moment) -> [EngineAction] {
    guard entries.replace(changed), publishAt == nil else { return [] }
    publishAt = moment.tick &+ UInt64(max(0, settings.coalesceMs))
    return wish()
  }

  /// The wish of `.wake` came due.
  package mutating func timeReached(at moment: Moment) -> [EngineAction] {
    var actions: [EngineAction] = []
    if let due = publishAt, moment.tick >= due {
      publishAt = nil
      actions += publish()
    }
    if let due = retryAt, moment.tick >= due {
      retryAt = nil
      if state == .live { actions += next() }
    }
    actions += readAgain(at: moment)
    return actions + wish()
  }

  private func wish() -> [EngineAction] {
    [publishAt, retryAt, rereadAt].compactMap(\.self).min().map { [.wake(at: $0)] } ?? []
  }

  // MARK: - The store

  /// The store answered what `.read` asked.
  package mutating func answered(_ result: Result<[StoreAnswer], StoreError>, at moment: Moment) -> [EngineAction] {
    guard case .reading(let questions) = state else { return [] }
    state = .live
    guard case .success(let answers) = result, let pages = Self.pages(answers), pages.count == questions.count else {
      if questions.contains(where: { if case .end = $0 { true } else { false } }) { entries.doubtEnd(true) }
      let isBehind = questions.contains { if case .again = $0 { true } else { false } }
      if isBehind { rereadAt = moment.tick &+ UserMachine.retryMs }
      return failed(at: moment) + (isBehind ? wish() : [])
    }
    for (question, page) in zip(questions, pages) {
      if case .again = question { entries.clear() }
      let depth = entries.merge(page, settings: settings)
      switch question {
      case .first: for id in ids where windows[id]?.depth == nil { windows[id]?.depth = depth }
      case .more(let subscriber, after: _, count: _): windows[subscriber]?.deepen(to: depth)
      case .end: if depth == .end { reachEnd() }
      case .again:
        for (id, window) in windows where window.depth.map({ $0 > depth }) == true { windows[id]?.depth = depth }
        if depth == .end { reachEnd() }
      }
    }
    entries.finishReading()
    // The grown snapshot comes before the reply (`docs/protocol.md`, Methods).
    return publish() + questions.flatMap { replies(to: $0) } + next()
  }

  private static func pages(_ answers: [StoreAnswer]) -> [ListPage]? {
    let pages = answers.compactMap { if case .list(let page) = $0 { page } else { nil } }
    return pages.count == answers.count ? pages : nil
  }

  private mutating func replies(to question: Question) -> [EngineAction] {
    guard case .more(let subscriber, after: let floor, count: _) = question, let window = windows[subscriber] else { return [] }
    windows[subscriber]?.waiting = []
    // A window that has no room for the page, in items or bytes, is as it was.
    let hasGrown = window.depth.map { $0 > .floor(floor) } ?? false
    let result: Result<ChatReply, ChatError> = hasGrown ? .success(.loadedAll(window.depth == .end)) : .failure(Self.windowFull)
    return window.waiting.map { .reply($0, result) }
  }

  /// Asks for what was wanted while a page was being read.
  private mutating func next() -> [EngineAction] {
    var questions: [Question] = windows.values.contains { $0.depth == nil } ? [.first] : []
    var replies: [EngineAction] = []
    for id in ids {
      guard let window = windows[id], !window.waiting.isEmpty, let depth = window.depth else { continue }
      switch depth {
      case .floor(let floor): questions.append(.more(id, after: floor, count: window.wanted))
      case .end:
        replies += window.waiting.map { .reply($0, .success(.loadedAll(true))) }
        windows[id]?.waiting = []
      }
    }
    if entries.isEndInDoubt {
      // A first page tells of the end itself; what is reported while it is read comes into doubt again.
      entries.doubtEnd(false)
      if case .floor(let floor)? = deepest { questions.append(.end(after: floor)) }
    }
    return questions.isEmpty ? replies : replies + read(questions)
  }

  private mutating func read(_ questions: [Question]) -> [EngineAction] {
    state = .reading(questions)
    entries.beginReading()
    let queries = questions.map { question in
      switch question {
      case .first: page(after: nil, limit: settings.conversations.initial)
      case .more(_, after: let floor, let count): page(after: floor, limit: count)
      case .end(after: let floor): page(after: floor, limit: 1)
      case .again(let count): page(after: nil, limit: count)
      }
    }
    return [.read(queries)]
  }

  private func page(after cursor: ListCursor?, limit: Int) -> StoreQuery {
    muted.isEmpty
      ? .conversationList(user, after: cursor, limit: limit, filter: filter)
      : .visibleList(user, after: cursor, limit: limit, hiding: muted, filter: filter)
  }

  /// The calls fail; subscribers who saw nothing yet stay pending, and are tried again in a while, as is the end of the list.
  private mutating func failed(at moment: Moment) -> [EngineAction] {
    entries.finishReading()
    entries.keep(downTo: deepest)
    var actions: [EngineAction] = []
    for id in ids {
      actions += (windows[id]?.waiting ?? []).map { .reply($0, .failure(.unavailable)) }
      windows[id]?.waiting = []
    }
    guard entries.isEndInDoubt || windows.values.contains(where: { $0.depth == nil }) else { return actions }
    retryAt = moment.tick &+ UserMachine.retryMs
    return actions + wish()
  }

  // MARK: - Publishing

  /// All subscribers in the order in which they are served.
  private var ids: [SubscriberID] { windows.keys.sorted { $0.order < $1.order } }

  private var deepest: ListDepth? { windows.values.compactMap(\.depth).max() }

  /// Everything down to the end is known: windows below which nothing lies reach it.
  private mutating func reachEnd() {
    for (id, window) in windows {
      if let depth = window.depth, !entries.hasEntry(below: depth) { windows[id]?.depth = .end }
    }
  }

  private struct View: Hashable {
    let label: String?
    let depth: ListDepth
  }

  /// Shows each window to those whose last snapshot differs; windows of one label and depth share a snapshot.
  private mutating func publish() -> [EngineAction] {
    if deepest == .end { reachEnd() }
    var views: [View] = []
    var members: [View: [SubscriberID]] = [:]
    for id in ids {
      guard let window = windows[id], let depth = window.depth else { continue }
      let view = View(label: window.label, depth: depth)
      if members[view] == nil { views.append(view) }
      members[view, default: []].append(id)
    }
    let actions = views.compactMap { show($0, to: members[$0] ?? []) }
    entries.keep(downTo: deepest)
    return actions
  }

  private mutating func show(_ view: View, to members: [SubscriberID]) -> EngineAction? {
    let (shown, depth) = entries.window(downTo: view.depth, settings: settings)
    let snapshot = TopicSnapshot.conversations(shown, loadedAll: depth == .end)
    let hash = snapshot.hashValue
    let behind = members.filter { windows[$0]?.lastHash != hash }
    for id in members {
      windows[id]?.depth = depth
      windows[id]?.lastHash = hash
    }
    return behind.isEmpty ? nil : .publish(.conversations(label: view.label), snapshot, to: behind)
  }
}
