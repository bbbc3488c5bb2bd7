import ChatModel

/// The conversations of one user that some window shows, last active first.
///
/// While a page is being read, everything that is reported is kept, for it may belong to the page.
struct ConversationListEntries {
  private struct Entry {
    let cursor: ListCursor
    let revision: Int64
    var snapshot: ConversationSnapshot
  }

  private var entries: [Entry] = []
  /// How far down entries are kept while no page is being read; nil when nothing is.
  private var depth: ListDepth?
  private var isReading = false
  /// A conversation that lies below all windows, as far as was told: as long as there is one the list does not end with them.
  private var below: ConversationID?
  /// What the pages that are being taken say of `below`: from which depth on, and which.
  private var behindPage: (depth: ListDepth, conversation: ConversationID)?
  /// Whether the last entry below all windows may be gone: the one that was known is, and no other one is.
  private(set) var isEndInDoubt = false
  /// The highest revision reported of each conversation since the page that is being read was asked for.
  private var reported: [ConversationID: Int64] = [:]
  /// Those that ceased to be the user's since then: the page may hold their threads.
  private var gone: Set<ConversationID> = []
  /// Users who changed since then: the page may hold them as they were.
  private var changedUsers: [UserID: UserRecord] = [:]

  // MARK: - Reports

  /// Takes a report, in which nil means that the conversation is no longer the user's, or that the filter does not let it pass any more;
  /// false when nothing that is kept changed.
  mutating func note(
    _ conversation: ConversationID, revision: Int64, _ snapshot: ConversationSnapshot?, isFilteredOut: Bool = false
  ) -> Bool {
    let known = entries.firstIndex { $0.cursor.conversation == conversation }
    // A page may be newer than reports that are still on their way.
    if let known, entries[known].revision > revision { return false }
    if isReading { reported[conversation] = max(revision, reported[conversation] ?? revision) }
    let wasShown = known.map { depth?.reaches(entries[$0].cursor) == true } ?? false
    let isShown = snapshot.map { depth?.reaches(Self.cursor(of: $0)) != false } ?? true
    if below == conversation { below = nil }
    if !isShown { below = conversation }
    if !wasShown, isShown, below == nil { isEndInDoubt = true }
    if let known { entries.remove(at: known) }
    let hadThreads = snapshot == nil && !isFilteredOut && removeThreads(of: conversation)
    guard let snapshot, keeps(Self.cursor(of: snapshot)) else { return known != nil || hadThreads }
    insert(snapshot, revision: revision)
    return true
  }

  /// Takes out the threads of a conversation that is no longer the user's; says whether there were any.
  private mutating func removeThreads(of conversation: ConversationID) -> Bool {
    if isReading { gone.insert(conversation) }
    let count = entries.count
    entries.removeAll { ThreadRoot(of: $0.cursor.conversation)?.conversation == conversation }
    return entries.count < count
  }

  /// Shows a user anew wherever it is nested; false when it is nowhere.
  mutating func replace(_ user: UserRecord) -> Bool {
    if isReading { changedUsers[user.id] = user }
    let snapshot = user.snapshot
    var isShown = false
    for index in entries.indices {
      if entries[index].snapshot.lastMessage?.replace(snapshot) == true { isShown = true }
      if entries[index].snapshot.pinnedMessage?.replace(snapshot) == true { isShown = true }
    }
    return isShown
  }

  // MARK: - Pages

  /// A page is asked for: what is reported from now on may be newer than it.
  mutating func beginReading() { isReading = true }

  /// Takes a page that was asked for; returns how far down it makes the list known.
  mutating func merge(_ page: ListPage, settings: ChatSettings) -> ListDepth {
    let users = Dictionary(page.users.map { ($0.id, $0) }) { first, _ in first }
      .merging(changedUsers) { $0.revision > $1.revision ? $0 : $1 }
    var last: ListCursor?
    for entry in page.entries {
      let snapshot = SnapshotBuilder.listSnapshot(entry: entry, users: users, settings: settings)
      last = Self.cursor(of: snapshot)
      if let newest = reported[entry.record.id], newest >= entry.record.revision { continue }
      if let root = ThreadRoot(of: entry.record.id), gone.contains(root.conversation) { continue }
      entries.removeAll { $0.cursor.conversation == entry.record.id }
      insert(snapshot, revision: entry.record.revision)
      if below == entry.record.id { below = nil }
    }
    guard let last, let next = page.next else { return .end }
    noteNext(next, behind: .floor(last))
    return .floor(last)
  }

  private mutating func noteNext(_ conversation: ConversationID, behind depth: ListDepth) {
    // What was reported since may not be there any more.
    guard reported[conversation] == nil else { return isEndInDoubt = true }
    if behindPage.map({ $0.depth < depth }) ?? true { behindPage = (depth, conversation) }
  }

  /// Everything is being read again: what was known does not count.
  mutating func clear() { (entries, below) = ([], nil) }

  /// The page was merged, or could not be read.
  mutating func finishReading() {
    isReading = false
    reported = [:]
    gone = []
    changedUsers = [:]
  }

  // MARK: - Windows

  /// Forgets what no window shows; `deepest` is the depth of the deepest window, nil when there is none.
  mutating func keep(downTo deepest: ListDepth?) {
    depth = deepest
    noteBelow(deepest)
    if below != nil || deepest == .end { isEndInDoubt = false }
    entries.removeLast(entries.count - entries.prefix { keeps($0.cursor) }.count)
  }

  /// Finds out what lies below all windows.
  private mutating func noteBelow(_ deepest: ListDepth?) {
    defer { behindPage = nil }
    guard let deepest, deepest != .end else { return below = nil }
    if let behindPage, behindPage.depth >= deepest { below = behindPage.conversation }
    // What is known surely wins over what was told when a page was read.
    if let last = entries.last, !deepest.reaches(last.cursor) { return below = last.cursor.conversation }
    if let known = below, entries.contains(where: { $0.cursor.conversation == known }) { below = nil }
    if below == nil { isEndInDoubt = true }
  }

  /// Whether an entry is known that a window does not reach.
  func hasEntry(below depth: ListDepth) -> Bool { entries.last.map { !depth.reaches($0.cursor) } ?? false }

  /// The store is asked whether something lies below, or has to be asked again.
  mutating func doubtEnd(_ isInDoubt: Bool) { isEndInDoubt = isInDoubt }

  /// How many entries a window has.
  func count(downTo depth: ListDepth) -> Int { entries.prefix { depth.reaches($0.cursor) }.count }

  /// What a window shows, and its depth: the oldest entries are pushed out of a full one.
  func window(downTo depth: ListDepth, settings: ChatSettings) -> ([ConversationSnapshot], ListDepth) {
    var shown: [ConversationSnapshot] = []
    var bytes = 0
    var last: ListCursor?
    for entry in entries.prefix(while: { depth.reaches($0.cursor) }) {
      bytes += entry.snapshot.encodedSize
      // One entry is shown, however large.
      if let last, shown.count >= settings.maxWindowItems || bytes > ChatSettings.maxPageBytes { return (shown, .floor(last)) }
      shown.append(entry.snapshot)
      last = entry.cursor
    }
    return (shown, depth)
  }

  // MARK: - Order

  private func keeps(_ cursor: ListCursor) -> Bool { isReading || depth?.reaches(cursor) == true }

  private mutating func insert(_ snapshot: ConversationSnapshot, revision: Int64) {
    let cursor = Self.cursor(of: snapshot)
    let index = entries.firstIndex { cursor.comes(before: $0.cursor) } ?? entries.count
    entries.insert(Entry(cursor: cursor, revision: revision, snapshot: snapshot), at: index)
  }

  private static func cursor(of snapshot: ConversationSnapshot) -> ListCursor {
    ListCursor(activity: snapshot.activity, conversation: snapshot.id)
  }
}

extension MessageSnapshot {
  /// Shows a user anew; false when the message does not show it.
  fileprivate mutating func replace(_ user: UserSnapshot) -> Bool {
    var isShown = false
    if sender?.id == user.id {
      sender = user
      isShown = true
    }
    if content.mentions(user.id) {
      content = content.renaming(user.id, to: user.name)
      isShown = true
    }
    guard var quoted = referencedMessage, quoted.sender?.id == user.id || quoted.content.mentions(user.id) else { return isShown }
    if quoted.sender?.id == user.id { quoted.sender = user }
    quoted.content = quoted.content.renaming(user.id, to: user.name)
    referencedMessage = quoted
    return true
  }
}
