import ChatModel

/// A conversation in memory.
///
/// Decisions change it before the store has kept them; when the store fails it is thrown away.
struct ConversationState {
  let id: ConversationID
  private(set) var isLoaded = false
  /// The last revision of a conversation of this id that was deleted while the machine was in memory.
  private(set) var lastRevision: Int64 = 0
  /// Whether the record is that of a thread before its first change: the store has none.
  private(set) var isPlanned = false
  /// What was heard of threads under messages while the store was asked, whose answer may be older.
  private var heard: [MessageNumber: ThreadSummary] = [:]
  /// Nil when there is no such conversation.
  var record: ConversationRecord?
  var roster = Roster()
  var restrictions = Restrictions()
  /// Who is invited and has not joined.
  var invitations: [UserID: InvitationRecord] = [:]
  var numbers = RecentNumbers()
  var window = MessageWindow()
  var sent = SentKeys()
  var marks = ReactionMarks()

  /// Knows nothing of the conversation yet.
  init(id: ConversationID) { self.id = id }

  /// Takes what the store has; nil when there is no such conversation.
  mutating func load(_ load: ConversationLoad?) {
    isLoaded = true
    guard let load else {
      window = .complete
      return
    }
    record = load.record
    roster = Roster(load.participants, formerReaders: load.formerReaders)
    restrictions = Restrictions(load.restrictions)
    invitations = Dictionary(load.invitations.map { ($0.user, $0) }) { first, _ in first }
    numbers = RecentNumbers(newestFirst: load.newestNumbers)
    window.extend(by: load.newest)
    note(load.newest)
    guard let pinned = load.record.pinned else { return }
    window.pin(pinned)
    take(load.pinned, as: pinned)
  }

  /// Begins a conversation.
  mutating func create(_ record: ConversationRecord) {
    self.record = record
    window = .complete
  }

  /// Takes a thread as it is before its first change.
  mutating func plan(_ record: ConversationRecord) {
    create(record)
    isPlanned = true
  }

  /// Makes the thread that was planned.
  mutating func makePlanned(at wall: Timestamp) {
    guard isPlanned, var made = record else { return }
    isPlanned = false
    // As for every other new conversation: numbers that one of this id had before are not used again.
    let fresh = ConversationRecord(id: id, type: made.type, pair: nil, createdAt: wall)
    made.revision = max(made.revision, fresh.revision, lastRevision)
    made.clock = max(made.clock, wall)
    record = made
  }

  /// Knows nothing again.
  mutating func forget() {
    let last = lastRevision
    self = ConversationState(id: id)
    lastRevision = last
  }

  /// A thread changed while the store is asked.
  mutating func hear(of number: MessageNumber, _ summary: ThreadSummary) { heard[number] = summary }

  /// The store answered: what was heard meanwhile may be newer.
  mutating func finishHearing() {
    for (number, summary) in heard { _ = window.noteThread(summary, under: number) }
    heard = [:]
  }

  /// Forgets the conversation, which was deleted.
  mutating func delete() {
    let last = max(lastRevision, record?.revision ?? 0)
    self = ConversationState(id: id)
    lastRevision = last
    load(nil)
  }

  /// Counts a change; returns its revision and its time by the conversation's clock, which never goes back.
  mutating func advance(to wall: Timestamp) -> (revision: Int64, time: Timestamp) {
    record?.revision += 1
    let time = max(record?.clock ?? wall, wall)
    record?.clock = time
    return (record?.revision ?? 0, time)
  }

  /// The question for messages that are missing above a floor; nil when the window holds them all.
  func missingPage(from floor: MessageNumber) -> StoreQuery? {
    guard floor < window.coveredFrom else { return nil }
    let missing = numbers.count(from: floor) - numbers.count(from: window.coveredFrom)
    guard missing > 0 else { return nil }
    return .messages(id, window.coveredFrom == .max ? .newest : .before(window.coveredFrom), limit: missing)
  }

  /// Takes the answer to a question for the newest messages, or for those before some.
  mutating func take(_ page: MessagePage, in range: MessageRange) {
    if case .before(let bound) = range {
      if bound == numbers.lowest, numbers.isCut { numbers.extend(older: page.messages, reachedEnd: page.reachedEnd) }
      // The window may have been trimmed since it was asked for.
      guard bound == window.coveredFrom else { return }
    }
    window.extend(by: page)
    note(page)
  }

  /// Takes the answer to a question for one message.
  mutating func take(_ page: MessagePage, as number: MessageNumber) {
    window.take(number, page)
    note(page)
  }

  private mutating func note(_ page: MessagePage) {
    for record in page.messages { marks.take(record) }
    for record in page.quoted { marks.take(record) }
  }

  /// The message that is pinned, unless it is deleted.
  var pinnedMessage: MessageRecord? { record?.pinned.flatMap { window.living($0) } }

  /// Whether a message stands in what everybody sees of the conversation: last, pinned, or as what one of them answers.
  func isOnDisplay(_ number: MessageNumber) -> Bool {
    [lastMessage, pinnedMessage].contains { $0.map { $0.number == number || $0.referenced == number } ?? false }
  }

  /// The newest message that is not deleted.
  var lastMessage: MessageRecord? { window.newest }
}
