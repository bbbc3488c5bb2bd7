import ChatModel

@testable import ChatEngine

/// Runs a list machine against a plain model; what is under way arrives in any order that the shards allow.
struct ListHarness {
  private enum Mail {
    case report(ConversationID, Int64, ConversationSnapshot?)
    case noted
  }

  let settings: ChatSettings
  let filter: ConversationFilter?
  var world = ListWorld()
  private(set) var machine: ConversationListMachine
  /// What each subscriber was shown last.
  private(set) var shown: [SubscriberID: TopicSnapshot] = [:]
  private(set) var replies: [CallID: Result<ChatReply, ChatError>] = [:]
  /// Rules that were broken on the way.
  private(set) var faults: [String] = []
  private(set) var subscribers: [SubscriberID] = []
  private var random: UInt64
  private var serial: UInt64 = 0
  private var tick: UInt64 = 0
  private var wakeAt: UInt64?
  private var announcements: [Bool] = []
  private var isNoted = false
  private var mail: [Mail] = []
  private var users: [UserRecord] = []
  private var question: [StoreQuery]?
  private var answer: Result<[StoreAnswer], StoreError>?

  init(seed: UInt64, filter: ConversationFilter?, settings: ChatSettings) {
    self.settings = settings
    self.filter = filter
    random = seed
    machine = ConversationListMachine(user: ListSamples.viewer, filter: filter, settings: settings)
  }

  /// A number below a bound (SplitMix64).
  mutating func draw(_ bound: Int) -> Int {
    random &+= 0x9e37_79b9_7f4a_7c15
    var mixed = (random ^ random >> 30) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
    return Int((mixed ^ mixed >> 31) % UInt64(bound))
  }

  // MARK: Events

  mutating func subscribe() -> SubscriberID {
    serial += 1
    let subscriber = SubscriberID(endpoint: UserSamples.endpoint(serial), serial: serial)
    subscribers.append(subscriber)
    perform(machine.subscribed(subscriber, label: serial.isMultiple(of: 2) ? "even" : nil))
    return subscriber
  }

  mutating func unsubscribe(_ subscriber: SubscriberID) {
    subscribers.removeAll { $0 == subscriber }
    shown[subscriber] = nil
    perform(machine.unsubscribed(subscriber))
    guard machine.isIdle else { return }
    // A shard forgets a list that nobody watches, and with it all that is on its way.
    machine = ConversationListMachine(user: ListSamples.viewer, filter: filter, settings: settings)
    (question, answer, wakeAt) = (nil, nil, nil)
  }

  mutating func loadMore(_ subscriber: SubscriberID, _ count: Int?) -> CallID {
    serial += 1
    let call = CallID(endpoint: subscriber.endpoint, serial: serial)
    perform(machine.loadMore(count, for: subscriber, as: call))
    return call
  }

  /// Something happens to the conversations or their users.
  mutating func changeWorld() {
    let name = ListWorld.names[draw(ListWorld.names.count)]
    switch draw(12) {
    case 10, 11: world.toggleUnread(name)
    case 0, 1, 2, 3: world.send(to: name, by: ListWorld.senders[draw(2)], begins: draw(2) == 0, sameMoment: draw(3) == 0)
    case 4, 5: world.deleteLast(of: name, to: Timestamp(100 + draw(30)))
    case 6: world.leave(name)
    case 7:
      world.leave(name)
      tell(name)
      world.send(to: name, by: ListWorld.senders[draw(2)], begins: true, sameMoment: true)
    default:
      let user = world.rename(ListWorld.senders[draw(2)])
      users.append(user)
      // The machines of conversations that show the user tell of it too, where they are in memory: as is one that has just told.
      for (other, known) in world.conversations.sorted(by: { $0.key < $1.key }) where known.sender == user.id.text {
        if draw(4) == 0 || isUnderWay(other) { tell(other) }
      }
      return
    }
    tell(name)
  }

  private mutating func tell(_ name: String) {
    let (id, revision, snapshot) = world.report(name)
    if isNoted { mail.append(.report(id, revision, snapshot)) }
  }

  private func isUnderWay(_ name: String) -> Bool {
    mail.contains { if case .report(let id, _, _) = $0 { id.text == name } else { false } }
  }

  // MARK: What is under way

  /// Lets one thing arrive; false when nothing is under way.
  mutating func arrive(mayFail: Bool) -> Bool {
    var ways: [(inout ListHarness) -> Void] = []
    if !announcements.isEmpty { ways.append { $0.hearAnnouncement() } }
    if !mail.isEmpty { ways.append { $0.deliverMail() } }
    if !users.isEmpty { ways.append { $0.deliverUser() } }
    if question != nil { ways.append { $0.askStore(mayFail: mayFail) } }
    if let wakeAt { ways.append { $0.wakeUp(at: wakeAt) } }
    guard !ways.isEmpty else { return false }
    ways[draw(ways.count)](&self)
    return true
  }

  /// Lets everything arrive.
  mutating func settle() {
    for _ in 0..<10_000 where !arrive(mayFail: false) { return }
    faults.append("it never settles")
  }

  private var now: Moment { UserSamples.moment(tick) }

  private mutating func hearAnnouncement() {
    isNoted = announcements.removeFirst()
    if isNoted { mail.append(.noted) }
  }

  private mutating func deliverUser() { perform(machine.userChanged(users.removeFirst(), at: now)) }

  private mutating func deliverMail() {
    switch mail.removeFirst() {
    case .noted: if announcements.isEmpty { perform(machine.loopsNoted()) }
    case .report(let id, let revision, let snapshot): perform(machine.changed(id, revision: revision, snapshot))
    }
  }

  /// First the store looks, later its answer arrives.
  private mutating func askStore(mayFail: Bool) {
    guard let answer else {
      let pages = (question ?? []).map { query -> StoreAnswer in
        guard case .conversationList(_, after: let cursor, let limit, let asked) = query, asked == filter else { return .flag(false) }
        return .list(world.page(after: cursor, limit: limit, filter))
      }
      answer = mayFail && draw(6) == 0 ? .failure(UserSamples.broken) : .success(pages)
      return
    }
    (question, self.answer) = (nil, nil)
    perform(machine.answered(answer, at: now))
  }

  private mutating func wakeUp(at due: UInt64) {
    tick = max(tick, due)
    wakeAt = nil
    perform(machine.timeReached(at: now))
  }

  private mutating func perform(_ actions: [EngineAction]) {
    for action in actions {
      switch action {
      case .announceList(_, let isLive): announcements.append(isLive)
      case .read(let queries):
        if question != nil { faults.append("two questions at once") }
        question = queries
      case .publish(_, let snapshot, to: let subscribers):
        for subscriber in subscribers {
          if shown[subscriber] == snapshot { faults.append("an equal snapshot was shown") }
          shown[subscriber] = snapshot
        }
      case .reply(let call, let result):
        if replies.updateValue(result, forKey: call) != nil { faults.append("two replies to one call") }
      case .wake(let due): wakeAt = due
      default: faults.append("\(action) is not a list's")
      }
    }
  }
}
