import ChatModel

/// The subscribers of a conversation's topics, in groups that see the same.
///
/// All members of a group were shown the snapshot whose hash the group keeps. So a change costs one snapshot and one hash for
/// each group, however many subscribers it has.
struct Audience {
  /// What a group sees of its topic.
  enum View: Hashable {
    /// Nothing, for want of membership or of a conversation.
    case none
    /// The window of messages or participants above a floor, with what the viewers reacted to: all in a group to the same.
    case floor(Int64, OwnReactions = OwnReactions())
    /// What one viewer sees: the conversation, or the other typists.
    case viewer(UserID)
    /// What all see who do not type themselves.
    case shared

    /// Down to where a window reaches; nil for what is no window.
    var floor: Int64? { if case .floor(let floor, _) = self { floor } else { nil } }
  }

  /// One subscription.
  struct Subscriber {
    let kind: TopicKind
    let viewer: UserID
    /// Whom the viewer does not see.
    fileprivate(set) var muted: Set<UserID>
    /// The number of the group; nil before the first snapshot.
    fileprivate(set) var group: Int?
    /// The place in the group's members; nil for a newcomer.
    fileprivate var index: Int?
  }

  /// Who was not yet shown what the group sees, and the hash of what they were shown last.
  struct Newcomer {
    let id: SubscriberID
    let hash: Int?
  }

  /// Subscribers of one topic who see the same.
  struct Group {
    let kind: TopicKind
    fileprivate(set) var view: View
    /// Whose messages and typing the members do not see.
    let hiding: Set<UserID>
    fileprivate(set) var members: [SubscriberID] = []
    fileprivate(set) var newcomers: [Newcomer] = []
    /// The hash of what the members were shown last.
    fileprivate(set) var hash: Int?
  }

  /// What makes a group: a view, and whom its members do not see.
  private struct Sight: Hashable {
    let view: View
    let hiding: Set<UserID>
  }

  /// The groups of one topic.
  private struct TopicGroups {
    /// Ascending.
    var numbers: [Int] = []
    var byView: [Sight: Int] = [:]
    /// Groups that have newcomers.
    var fresh: Set<Int> = []
  }

  private var subscribers: [SubscriberID: Subscriber] = [:]
  private var byViewer: [UserID: Set<SubscriberID>] = [:]
  private var groups: [Int: Group] = [:]
  private var topics: [TopicKind: TopicGroups] = [:]
  private var nextNumber = 0
  /// The subscribers who muted somebody.
  private(set) var muting: Set<SubscriberID> = []
  /// The calls that wait for the running `loadMore` of a subscriber.
  private(set) var growing: [SubscriberID: [CallID]] = [:]

  /// Nobody watches.
  init() {}

  var isEmpty: Bool { subscribers.isEmpty }

  subscript(id: SubscriberID) -> Subscriber? { subscribers[id] }

  /// What a subscriber sees; nil before the first snapshot.
  func view(of id: SubscriberID) -> View? {
    guard let number = subscribers[id]?.group else { return nil }
    return groups[number]?.view
  }

  /// The users with at least one subscription, in no order.
  var viewers: Dictionary<UserID, Set<SubscriberID>>.Keys { byViewer.keys }

  /// The active subscriptions of a viewer, in the order in which they were made.
  func active(of viewer: UserID) -> [SubscriberID] {
    guard let ids = byViewer[viewer] else { return [] }
    return ids.filter { subscribers[$0]?.group != nil }.sorted {
      ($0.endpoint.loop, $0.endpoint.connection, $0.serial) < ($1.endpoint.loop, $1.endpoint.connection, $1.serial)
    }
  }

  // MARK: Coming and going

  /// Adds a subscriber who sees nothing yet.
  mutating func add(_ id: SubscriberID, kind: TopicKind, viewer: UserID, muted: Set<UserID> = []) {
    subscribers[id] = Subscriber(kind: kind, viewer: viewer, muted: muted)
    if !muted.isEmpty { muting.insert(id) }
    byViewer[viewer, default: []].insert(id)
  }

  /// A subscriber does not see these users from now on; returns whether that is news.
  mutating func mute(_ id: SubscriberID, _ users: Set<UserID>) -> Bool {
    guard let subscriber = subscribers[id], subscriber.muted != users else { return false }
    subscribers[id]?.muted = users
    if users.isEmpty { muting.remove(id) } else { muting.insert(id) }
    return true
  }

  /// Takes a subscriber out; returns the calls that waited for its window to grow.
  mutating func remove(_ id: SubscriberID) -> [CallID] {
    guard let subscriber = subscribers[id] else { return [] }
    leaveGroup(id)
    subscribers[id] = nil
    muting.remove(id)
    byViewer[subscriber.viewer]?.remove(id)
    if byViewer[subscriber.viewer]?.isEmpty == true { byViewer[subscriber.viewer] = nil }
    return growing.removeValue(forKey: id) ?? []
  }

  /// Moves a subscriber to the group with this view, as a newcomer.
  mutating func move(_ id: SubscriberID, to view: View, hiding: Set<UserID> = []) {
    guard let subscriber = subscribers[id] else { return }
    if let number = subscriber.group, groups[number]?.view == view, groups[number]?.hiding == hiding { return }
    let hash = lastHash(of: id, subscriber)
    leaveGroup(id)
    let number = group(of: subscriber.kind, Sight(view: view, hiding: hiding))
    groups[number]?.newcomers.append(Newcomer(id: id, hash: hash))
    topics[subscriber.kind]?.fresh.insert(number)
    subscribers[id]?.group = number
    subscribers[id]?.index = nil
  }

  // MARK: Groups

  /// The groups of a topic.
  func groups(of kind: TopicKind) -> [Int] { topics[kind]?.numbers ?? [] }

  /// The groups of a topic with newcomers, in the order in which they were made.
  func freshGroups(of kind: TopicKind) -> [Int] { topics[kind]?.fresh.sorted() ?? [] }

  /// What the members of a group see.
  func view(ofGroup number: Int) -> View? { groups[number]?.view }

  /// Whom the members of a group do not see.
  func hiding(ofGroup number: Int) -> Set<UserID> { groups[number]?.hiding ?? [] }

  /// The number of the group with a view whose members see everybody.
  func number(of kind: TopicKind, _ view: View) -> Int? { topics[kind]?.byView[Sight(view: view, hiding: [])] }

  /// The groups of a topic that a viewer is in; several where their sessions muted others.
  func numbers(of kind: TopicKind, for viewer: UserID) -> [Int] {
    guard !muting.isEmpty else { return number(of: kind, .viewer(viewer)).map { [$0] } ?? [] }
    return (byViewer[viewer] ?? []).compactMap { subscribers[$0]?.kind == kind ? subscribers[$0]?.group : nil }
  }

  /// The groups of a topic whose members do not see somebody.
  func hidingNumbers(of kind: TopicKind) -> [Int] {
    muting.isEmpty ? [] : groups(of: kind).filter { groups[$0]?.hiding.isEmpty == false }
  }

  /// The lowest floor of a topic's windows.
  func lowestFloor(of kind: TopicKind) -> Int64? {
    var lowest: Int64?
    for sight in topics[kind]?.byView.keys ?? [:].keys {
      if let floor = sight.view.floor { lowest = min(lowest ?? floor, floor) }
    }
    return lowest
  }

  /// Raises all floors of a topic that lie below this one.
  mutating func raiseFloors(of kind: TopicKind, to floor: Int64) {
    for number in groups(of: kind) {
      guard case .floor(let old, let own)? = groups[number]?.view, old < floor else { continue }
      rename(number, of: kind, to: .floor(floor, own))
    }
  }

  /// Notes that a group is shown a snapshot with this hash; returns who has not seen it.
  mutating func show(_ hash: Int, to number: Int) -> [SubscriberID] {
    // No copy of the group is held while its members are appended to: that would copy them all for one newcomer.
    guard let kind = groups[number]?.kind, let newcomers = groups[number]?.newcomers else { return [] }
    let isChanged = groups[number]?.hash != hash
    groups[number]?.hash = hash
    var receivers = isChanged ? groups[number]?.members ?? [] : []
    guard !newcomers.isEmpty else { return receivers }
    topics[kind]?.fresh.remove(number)
    groups[number]?.newcomers = []
    for newcomer in newcomers {
      subscribers[newcomer.id]?.index = groups[number]?.members.count
      groups[number]?.members.append(newcomer.id)
      if newcomer.hash != hash { receivers.append(newcomer.id) }
    }
    return receivers
  }

  // MARK: Growing windows

  /// Lets a call wait for a subscriber's window to grow; returns whether it is the first.
  mutating func grow(_ id: SubscriberID, for call: CallID) -> Bool {
    growing[id, default: []].append(call)
    return growing[id]?.count == 1
  }

  /// Takes the calls that wait for a subscriber's window to grow.
  mutating func grown(_ id: SubscriberID) -> [CallID] { growing.removeValue(forKey: id) ?? [] }

  /// Takes one waiting call back; returns whose window it waited for.
  mutating func cancelGrowing(_ call: CallID) -> SubscriberID? {
    guard let (id, calls) = growing.first(where: { $0.value.contains(call) }) else { return nil }
    growing[id] = calls.count == 1 ? nil : calls.filter { $0 != call }
    return id
  }

  // MARK: The inside

  /// The hash of what a subscriber was shown last.
  private func lastHash(of id: SubscriberID, _ subscriber: Subscriber) -> Int? {
    guard let number = subscriber.group, let group = groups[number] else { return nil }
    return subscriber.index == nil ? group.newcomers.first { $0.id == id }?.hash : group.hash
  }

  private mutating func group(of kind: TopicKind, _ sight: Sight) -> Int {
    if let number = topics[kind]?.byView[sight] { return number }
    let number = nextNumber
    nextNumber += 1
    groups[number] = Group(kind: kind, view: sight.view, hiding: sight.hiding)
    topics[kind, default: TopicGroups()].numbers.append(number)
    topics[kind]?.byView[sight] = number
    return number
  }

  private mutating func leaveGroup(_ id: SubscriberID) {
    guard let subscriber = subscribers[id], let number = subscriber.group else { return }
    if let index = subscriber.index {
      guard let last = groups[number]?.members.popLast() else { return }
      if last != id {
        groups[number]?.members[index] = last
        subscribers[last]?.index = index
      }
    } else {
      groups[number]?.newcomers.removeAll { $0.id == id }
    }
    guard let group = groups[number], group.members.isEmpty, group.newcomers.isEmpty else { return }
    drop(number, group)
  }

  private mutating func drop(_ number: Int, _ group: Group) {
    groups[number] = nil
    topics[group.kind]?.byView[Sight(view: group.view, hiding: group.hiding)] = nil
    topics[group.kind]?.fresh.remove(number)
    guard let place = topics[group.kind]?.numbers.place(of: number) else { return }
    topics[group.kind]?.numbers.remove(at: place)
  }

  /// Gives a group another view; where a group with that view exists, its subscribers join that.
  private mutating func rename(_ number: Int, of kind: TopicKind, to view: View) {
    guard let group = groups[number] else { return }
    let sight = Sight(view: view, hiding: group.hiding)
    guard let target = topics[kind]?.byView[sight] else {
      topics[kind]?.byView[Sight(view: group.view, hiding: group.hiding)] = nil
      topics[kind]?.byView[sight] = number
      groups[number]?.view = view
      return
    }
    let moved = group.members.map { Newcomer(id: $0, hash: group.hash) } + group.newcomers
    for newcomer in moved {
      subscribers[newcomer.id]?.group = target
      subscribers[newcomer.id]?.index = nil
    }
    groups[target]?.newcomers += moved
    topics[kind]?.fresh.insert(target)
    drop(number, group)
  }
}

extension [Int] {
  /// Where a number stands in an ascending array that holds it.
  fileprivate func place(of number: Int) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle] < number { low = middle + 1 } else { high = middle }
    }
    return low < count && self[low] == number ? low : nil
  }
}
