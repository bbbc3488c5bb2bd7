import ChatEngine
import ChatModel
import TestSupport
import Testing

/// A machine with a store of plain dictionaries that answers at once, later, or with a failure.
struct ConversationFixture {
  /// How the store treats questions.
  enum StoreMode {
    case answers
    /// Questions wait in `question` until `release`.
    case waits
    case fails(StoreError)
  }

  let id: ConversationID
  var machine: ConversationMachine
  var store = StoreContractModel()
  var moment = Moment(wall: 1_000, tick: 0)
  var mode = StoreMode.answers
  var question: EngineAction?
  /// Everything the machine did since `clear`, but for the store's questions.
  var actions: [EngineAction] = []
  var replies: [CallID: Result<ChatReply, ChatError>] = [:]
  var histories: [CallID: StoreQuery] = [:]
  var shown: [SubscriberID: [TopicSnapshot]] = [:]
  var lists: [UserID: [ConversationSnapshot?]] = [:]
  var reads: [[StoreQuery]] = []
  var commits: [ChangeSet] = []
  var wakeAt: UInt64?
  private var serial: UInt64 = 0

  static let full = StoreError(.full, code: 13, "The disk is full")

  init(_ id: String = "room", settings: ChatSettings = ChatSettings(), users: [String] = ["ann", "bob", "cy", "dan", "eve", "backend"]) {
    self.id = ConversationID(stored: id)
    machine = ConversationMachine(id: self.id, settings: settings)
    for user in users { put(UserRecord(id: UserID(stored: user), name: user.uppercased(), createdAt: 1)) }
  }

  // MARK: Events

  /// Makes a call and returns its number.
  @discardableResult
  mutating func begin(
    _ operation: ConversationOperation, by user: String, _ kind: Caller.Kind = .user, _ permissions: Permissions = Permissions(),
    isActing: Bool = false, muted: Set<UserID> = []
  )
    -> CallID
  {
    let call = nextCall()
    let caller = Caller(user: UserID(stored: user), kind: kind, permissions: permissions, isActing: isActing, muted: muted)
    run(machine.called(operation, by: caller, as: call, at: moment))
    return call
  }

  /// Makes a call and returns its reply.
  @discardableResult
  mutating func call(
    _ operation: ConversationOperation, by user: String, _ kind: Caller.Kind = .user, _ permissions: Permissions = Permissions(),
    isActing: Bool = false, muted: Set<UserID> = []
  )
    -> Result<ChatReply, ChatError>?
  {
    moment.wall += 1
    let call = begin(operation, by: user, kind, permissions, isActing: isActing, muted: muted)
    return replies[call]
  }

  /// Sends a text and returns its message's id.
  @discardableResult
  mutating func send(_ text: String, by user: String, answering: MessageID? = nil, key: String? = nil) -> MessageID {
    let message = OutgoingMessage(content: ContentBlock.plain(text), referenced: answering, clientMessageId: key)
    guard case .success(.sent(let sent?, _))? = call(.send(message), by: user) else { return MessageID(0, in: id) }
    return sent.id
  }

  @discardableResult
  mutating func subscribe(_ kind: TopicKind, by user: String, muted: Set<UserID> = [], from: WindowStart? = nil) -> SubscriberID {
    serial += 1
    let subscriber = SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial)
    run(machine.subscribed(subscriber, to: kind, viewer: UserID(stored: user), muted: muted, from: from, at: moment))
    return subscriber
  }

  /// A subscriber does not see these users from now on.
  mutating func mute(_ users: Set<UserID>, _ subscriber: SubscriberID) { run(machine.muted(users, for: subscriber, at: moment)) }

  mutating func unsubscribe(_ subscriber: SubscriberID) { run(machine.unsubscribed(subscriber, at: moment)) }

  @discardableResult
  mutating func loadMore(_ count: Int? = nil, for subscriber: SubscriberID) -> CallID {
    let call = nextCall()
    run(machine.loadMore(count, for: subscriber, as: call, at: moment))
    return call
  }

  /// The connection of a call ends.
  mutating func leave(_ call: CallID) { run(machine.leftQueue(call)) }

  /// The gateway is about to stop.
  mutating func stop() { run(machine.stop()) }

  mutating func cancel(_ call: CallID) { run(machine.cancelled(call, at: moment)) }

  /// Changes a user's name.
  mutating func rename(_ user: String, to name: String, revision: Int64 = 2) {
    var record = UserRecord(id: UserID(stored: user), name: name, createdAt: 1)
    record.revision = revision
    put(record)
    run(machine.userChanged(record, at: moment))
  }

  /// The conversation of a thread's root changed.
  mutating func hear(_ news: ThreadNews) { run(machine.rootChanged(news, at: moment)) }

  /// A thread under a message changed.
  mutating func hear(of number: MessageNumber, _ summary: ThreadSummary) { run(machine.threadChanged(number, summary, at: moment)) }

  mutating func goOffline(_ user: String) { run(machine.userWentOffline(UserID(stored: user), at: moment)) }

  /// Lets time pass, and wakes the machine as often as it wishes.
  mutating func pass(_ milliseconds: UInt64) {
    let end = moment.tick + milliseconds
    while let tick = wakeAt, tick <= end {
      wakeAt = nil
      moment.wall += Timestamp(tick - moment.tick)
      moment.tick = tick
      run(machine.timeReached(at: moment))
    }
    moment.wall += Timestamp(end - moment.tick)
    moment.tick = end
  }

  /// Answers the waiting question; the next one waits again.
  mutating func release(failing error: StoreError? = nil) {
    guard let question else { return }
    self.question = nil
    run(answer(question, failing: error))
  }

  /// Answers all questions from now on.
  mutating func releaseAll() {
    mode = .answers
    while question != nil { release() }
  }

  mutating func clear() {
    actions = []
    reads = []
    commits = []
  }

  // MARK: What happened

  /// What a subscriber was shown last.
  func last(_ subscriber: SubscriberID) -> TopicSnapshot? { shown[subscriber]?.last }

  /// The texts of the messages that a subscriber was shown last.
  func texts(_ subscriber: SubscriberID) -> [String]? {
    guard case .messages(let messages?, _)? = last(subscriber) else { return nil }
    return messages.map(\.plaintext)
  }

  /// The names of the participants that a subscriber was shown last.
  func names(_ subscriber: SubscriberID) -> [String]? {
    guard case .participants(let participants?, _)? = last(subscriber) else { return nil }
    return participants.map(\.user.name)
  }

  /// The conversation that a subscriber was shown last.
  func conversation(_ subscriber: SubscriberID) -> ConversationSnapshot? {
    guard case .conversation(let conversation)? = last(subscriber) else { return nil }
    return conversation
  }

  mutating func put(_ user: UserRecord) { _ = store.commit(ChangeSet([.putUser(user)])) }

  // MARK: The shell

  private mutating func run(_ first: [EngineAction]) {
    var waiting = first
    var next = 0
    while next < waiting.count {
      let action = waiting[next]
      next += 1
      switch action {
      case .read, .commit:
        if case .read(let queries) = action { reads.append(queries) }
        if case .commit(let changes) = action { commits.append(changes) }
        switch mode {
        case .answers: waiting += answer(action, failing: nil)
        case .fails(let error): waiting += answer(action, failing: error)
        case .waits:
          expect(question == nil, "one question at a time")
          question = action
        }
      default:
        actions.append(action)
        note(action)
      }
    }
  }

  private mutating func answer(_ question: EngineAction, failing error: StoreError?) -> [EngineAction] {
    switch question {
    case .read(let queries):
      if let error { return machine.answered(.failure(error), at: moment) }
      return machine.answered(.success(queries.map { store.answer($0) }), at: moment)
    case .commit(let changes):
      if error == nil, !store.commit(changes) {
        expect(false, "the store refuses \(changes)")
        return []
      }
      return machine.committed(error, at: moment)
    default: return []
    }
  }

  private mutating func note(_ action: EngineAction) {
    switch action {
    case .reply(let call, let result):
      expect(replies[call] == nil, "one reply to \(call)")
      replies[call] = result
    case .replyWithHistory(let call, _, let query): histories[call] = query
    case .publish(_, let snapshot, let subscribers):
      for subscriber in subscribers {
        expect(shown[subscriber]?.last != snapshot, "nothing is shown twice: \(snapshot)")
        shown[subscriber, default: []].append(snapshot)
      }
    case .updateList(let user, _, _, let snapshot): lists[user, default: []].append(snapshot)
    case .wake(let tick): wakeAt = tick
    default: break
    }
  }

  private mutating func nextCall() -> CallID {
    serial += 1
    return CallID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial)
  }
}

extension Result where Success == ChatReply, Failure == ChatError {
  /// The reason of a refusal with its field, or `ok`.
  var outcome: String {
    switch self {
    case .success: "ok"
    case .failure(let error): error.field.map { "\(error.kind.rawValue) \($0)" } ?? "\(error.kind.rawValue)"
    }
  }
}

extension ConversationOperation {
  static func text(_ text: String, answering: MessageID? = nil, key: String? = nil) -> ConversationOperation {
    .send(OutgoingMessage(content: ContentBlock.plain(text), referenced: answering, clientMessageId: key))
  }

  static var join: ConversationOperation { .createIfNotExists(NewConversation()) }
}
