import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
import Transport

/// Runs the machines of one loop's conversations and users, and performs their actions.
///
/// The only place where what the machines decide meets the store, the connections and the other shards.
final class Shard: MailboxOwner, TimerTarget {
  private(set) var settings: ChatSettings
  let store: any Store
  let inbox: Mailbox<ShardMail>
  let directory: LoopDirectory
  let index: Int
  /// Whether anybody is sent compressed messages.
  let isCompressing: Bool
  private let log: Logger

  var conversations: [ConversationID: MachineHost<ConversationMachine>] = [:]
  var users: [UserID: MachineHost<UserMachine>] = [:]
  var lists: [ListName: MachineHost<ConversationListMachine>] = [:]
  var listNames = ListNames()
  var invitations: [UserID: MachineHost<InvitationListMachine>] = [:]
  var walks = ListWalks()
  /// The users who have a live list anywhere in the process.
  var listUsers: Set<UserID> = []
  /// The users who have one that hides somebody.
  private var mutingListUsers: Set<UserID> = []
  /// How many loops still have to note a user's list, by the list's incarnation.
  var unnoted: [UInt64: Int] = [:]
  var guestSights = GuestSights()
  /// The threads in memory, by the conversation of their root, which lives on the same loop.
  private var threads: [ConversationID: Set<ConversationID>] = [:]
  private var threadRoots: Set<ConversationID> = []
  var readingAll = ReadingAll()
  /// The users who are online anywhere in the process.
  private var onlineUsers: Set<UserID> = []
  var sideReads = SideReads()
  private var lastIncarnation: UInt64 = 0
  /// The machines that want to be woken, by their incarnation.
  private var wakes: [UInt64: MachineKey] = [:]
  private var isSweepDue = false
  /// Whether the gateway is about to stop.
  private var isStopping = false
  private var mailRounds = MailRounds<ShardMail>()

  init(
    settings: ChatSettings, store: any Store, directory: LoopDirectory, isCompressing: Bool, log: Logger, on loop: isolated EventLoop
  ) {
    self.settings = settings
    self.store = store
    self.directory = directory
    self.isCompressing = isCompressing
    self.log = log
    index = loop.index
    inbox = directory.shards[loop.index]
  }

  /// How long a machine that nobody needs stays in memory, milliseconds.
  static let forgetAfterMs: UInt64 = 30_000
  /// No incarnation has this number.
  private static let sweepTag = 0

  // MARK: - Mail

  func mailArrived(on loop: isolated EventLoop) {
    for mail in mailRounds.next(inbox.take(on: loop)) { receive(mail, on: loop) }
    // The rest comes in the next round, after all sockets that became ready in between.
    if !mailRounds.isEmpty { loop.wake() }
  }

  private func receive(_ mail: ShardMail, on loop: isolated EventLoop) {
    switch mail {
    case .call(let conversation, let operation, let caller, let call):
      tell(conversation, on: loop) { $0.called(operation, by: caller, as: call, at: $1) }
    case .cancel(let conversation, let call): cancel(call, in: conversation, on: loop)
    case .leaveQueue(let conversation, let call):
      guard conversations[conversation] != nil else { return }
      tell(conversation, on: loop) { machine, _ in machine.leftQueue(call) }
    case .stopping: stop(on: loop)
    case .userCall(let user, let operation, let caller, let call):
      tell(user, on: loop) { $0.called(operation, by: caller, as: call, at: $1) }
    case .markAllAsRead(let caller, let call): beginReadingAll(caller, call)
    case .rolesChanged(let roles, let moderating):
      (settings.roles, settings.moderatingRoles) = (roles, moderating)
      for host in users.values { host.machine.rolesChanged(roles) }
      for host in conversations.values { host.machine.moderatingRolesChanged(moderating) }
    case .subscribe(let topic, let subscriber, let viewer, let from, let filter):
      subscribe(subscriber, to: topic, viewer, from, filter, on: loop)
    case .unsubscribe(let topic, let subscriber, let viewer): unsubscribe(subscriber, from: topic, viewer, on: loop)
    case .muted(let topic, let subscriber, let viewer, let users): muted(topic, subscriber, viewer, users, on: loop)
    case .loadMore(let topic, let subscriber, let viewer, let count, let call):
      loadMore(topic, subscriber, viewer, count, call, on: loop)
    case .open(let opening, let call): tell(opening.user, on: loop) { $0.opening(opening, as: call, at: $1) }
    case .persist(let user, let call): tell(user, on: loop) { $0.persist(as: call, at: $1) }
    case .revoke(let user, let call): tell(user, on: loop) { $0.revoke(as: call, at: $1) }
    case .listSessions(let user, let call): tell(user, on: loop) { machine, _ in machine.listSessions(as: call) }
    case .refresh(let user, let issuedAt, let expiresAt, let call):
      tell(user, on: loop) { $0.refresh(issuedAt: issuedAt, expiresAt: expiresAt, as: call, at: $1) }
    case .closed(let user, let endpoint):
      guard users[user] != nil else { return }
      tell(user, on: loop) { $0.closed(endpoint, at: $1) }
    case .answered, .committed, .readAside, .unreadConversations: receiveFromStore(mail, on: loop)
    case .userChanged, .userWentOffline, .presenceChanged, .listWatched, .listNoted, .listChanged, .listTouched, .invitationsChanged,
      .markedAsRead, .threadNews, .threadChanged:
      receiveFromShard(mail, on: loop)
    case .guestWatched, .guestNoted, .membersMoved, .looked: receiveSight(mail, on: loop)
    }
  }

  private func receiveFromStore(_ mail: ShardMail, on loop: isolated EventLoop) {
    if let error = mail.storeError { log.log(.error, "store failed", error.sentence, [LogField("code", .integer(Int64(error.code)))]) }
    switch mail {
    case .answered(.conversation(let id, let incarnation), let result):
      guard conversations[id]?.incarnation == incarnation else { return }
      tell(id, on: loop) { $0.answered(result, at: $1) }
    case .answered(.user(let id, let incarnation), let result):
      guard users[id]?.incarnation == incarnation else { return }
      tell(id, on: loop) { $0.answered(result, at: $1) }
    case .answered(.list(let id, let incarnation), let result):
      walked(id)
      guard lists[id]?.incarnation == incarnation else { return }
      tellList(of: id, on: loop) { $0.answered(result, at: $1) }
    case .answered(.invitations(let id, let incarnation), let result):
      guard invitations[id]?.incarnation == incarnation else { return }
      tellInvitations(of: id, on: loop) { $0.answered(result, at: $1) }
    case .committed(.conversation(let id, let incarnation), let error):
      guard conversations[id]?.incarnation == incarnation else { return }
      tell(id, on: loop) { $0.committed(error, at: $1) }
    case .committed(.user(let id, let incarnation), let error):
      guard users[id]?.incarnation == incarnation else { return }
      tell(id, on: loop) { $0.committed(error, at: $1) }
    case .readAside(let read, let result): reply(read, result)
    case .unreadConversations(let caller, let call, let result): readAll(caller, call, result)
    default: break
    }
  }

  private func receiveFromShard(_ mail: ShardMail, on loop: isolated EventLoop) {
    switch mail {
    case .userChanged(let user):
      for id in Array(conversations.keys) { tell(id, isUse: false, on: loop) { $0.userChanged(user, at: $1) } }
      for id in Array(lists.keys) { tellList(of: id, on: loop) { $0.userChanged(user, at: $1) } }
      for id in Array(invitations.keys) { tellInvitations(of: id, on: loop) { machine, _ in machine.userChanged(user) } }
    case .userWentOffline(let user):
      for (id, host) in conversations where host.machine.hasTypists {
        tell(id, isUse: false, on: loop) { $0.userWentOffline(user, at: $1) }
      }
    case .presenceChanged(let user, let isOnline):
      if isOnline { onlineUsers.insert(user) } else { onlineUsers.remove(user) }
    case .listWatched(let name, let watch, let incarnation, let notify):
      if watch.isWhole { listUsers.insert(name.user) } else { listUsers.remove(name.user) }
      if watch.isHiding { mutingListUsers.insert(name.user) } else { mutingListUsers.remove(name.user) }
      guard let notify, directory.shards.indices.contains(notify) else { return }
      directory.shards[notify].post(.listNoted(name, incarnation: incarnation))
    case .listNoted(let name, let incarnation):
      guard lists[name]?.incarnation == incarnation, let left = unnoted[incarnation] else { return }
      unnoted[incarnation] = left > 1 ? left - 1 : nil
      if left == 1 { tellList(of: name, on: loop) { machine, _ in machine.loopsNoted() } }
    case .listChanged(let user, let conversation, let revision, let snapshot):
      for name in listNames.lists(of: user, hiding: false) {
        tellList(of: name, on: loop) { machine, _ in machine.changed(conversation, revision: revision, snapshot) }
      }
    case .listTouched(let user):
      for name in listNames.lists(of: user, hiding: true) { tellList(of: name, on: loop) { $0.touched(at: $1) } }
    case .invitationsChanged(let user):
      guard invitations[user] != nil else { return }
      tellInvitations(of: user, on: loop) { machine, _ in machine.changed() }
    case .threadNews(let root, let news):
      for thread in threads[root] ?? [] { tell(thread, isUse: false, on: loop) { $0.rootChanged(news, at: $1) } }
    case .threadChanged(let root, let summary):
      guard conversations[root.conversation] != nil else { return }
      tell(root.conversation, isUse: false, on: loop) { $0.threadChanged(root.message.number, summary, at: $1) }
    case .markedAsRead(let batch, let error):
      if let (call, result) = readingAll.finished(one: batch, error) { reply(call, result.map { .count($0) }) }
      readFurther()
    default: break
    }
  }

  /// Nobody waits any more for what a client may have to wait long.
  private func stop(on loop: isolated EventLoop) {
    isStopping = true
    for id in Array(conversations.keys) { tell(id, isUse: false, on: loop) { machine, _ in machine.stop() } }
  }

  // MARK: - Machines

  /// Lets something happen to a conversation, whose machine is made where it is not there, and does what comes of it.
  func tell(
    _ id: ConversationID, isUse: Bool = true, on loop: isolated EventLoop, _ event: (inout ConversationMachine, Moment) -> [EngineAction]
  ) {
    let now = loop.now.milliseconds
    let host = conversations[id] ?? newConversation(id, now)
    if isUse { host.lastEvent = now }
    perform(event(&host.machine, moment(on: loop)), of: .conversation(id, incarnation: host.incarnation), on: loop)
    sweepLater(on: loop)
  }

  /// Lets something happen to a user.
  func tell(_ id: UserID, on loop: isolated EventLoop, _ event: (inout UserMachine, Moment) -> [EngineAction]) {
    let now = loop.now.milliseconds
    let host = users[id] ?? newUser(id, now)
    host.lastEvent = now
    perform(event(&host.machine, moment(on: loop)), of: .user(id, incarnation: host.incarnation), on: loop)
    sweepLater(on: loop)
  }

  /// Lets something happen to a user's list; a list that nobody watches is forgotten at once.
  func tellList(of id: ListName, on loop: isolated EventLoop, _ event: (inout ConversationListMachine, Moment) -> [EngineAction]) {
    let host = lists[id] ?? newList(id, loop.now.milliseconds)
    let actions = event(&host.machine, moment(on: loop))
    if host.machine.isIdle {
      lists[id] = nil
      listNames.remove(id)
      unnoted[host.incarnation] = nil
      unwake(host.timer, host.incarnation, on: loop)
    }
    perform(actions, of: .list(id, incarnation: host.incarnation), on: loop)
  }

  /// Lets something happen to what a user is invited to; what nobody watches is forgotten at once.
  func tellInvitations(of id: UserID, on loop: isolated EventLoop, _ event: (inout InvitationListMachine, Moment) -> [EngineAction]) {
    let host = invitations[id] ?? newHost(InvitationListMachine(user: id), loop.now.milliseconds)
    let actions = event(&host.machine, moment(on: loop))
    invitations[id] = host.machine.isIdle ? nil : host
    if host.machine.isIdle { unwake(host.timer, host.incarnation, on: loop) }
    perform(actions, of: .invitations(id, incarnation: host.incarnation), on: loop)
  }

  private func newConversation(_ id: ConversationID, _ now: UInt64) -> MachineHost<ConversationMachine> {
    let host = newHost(ConversationMachine(id: id, settings: settings), now)
    if isStopping { _ = host.machine.stop() }
    conversations[id] = host
    if let root = ThreadRoot(of: id)?.conversation {
      threads[root, default: []].insert(id)
      threadRoots.insert(root)
    }
    return host
  }

  private func newUser(_ id: UserID, _ now: UInt64) -> MachineHost<UserMachine> {
    let host = newHost(UserMachine(id: id, settings: settings), now)
    users[id] = host
    return host
  }

  private func newList(_ id: ListName, _ now: UInt64) -> MachineHost<ConversationListMachine> {
    let host = newHost(ConversationListMachine(user: id.user, muted: id.muted, filter: id.filter, settings: settings), now)
    lists[id] = host
    listNames.add(id)
    return host
  }

  private func newHost<Machine>(_ machine: Machine, _ now: UInt64) -> MachineHost<Machine> {
    lastIncarnation += 1
    return MachineHost(machine, incarnation: lastIncarnation, now: now)
  }

  private func moment(on loop: isolated EventLoop) -> Moment {
    Moment(
      wall: WallClock.now(), tick: loop.now.milliseconds, listUsers: listUsers, mutingListUsers: mutingListUsers,
      guestSightUsers: guestSights.users, onlineUsers: onlineUsers, threadRoots: threadRoots)
  }

  // MARK: - Time

  func timerFired(_ tag: Int, on loop: isolated EventLoop) {
    guard let key = wakes.removeValue(forKey: UInt64(bitPattern: Int64(tag))) else { return sweep(on: loop) }
    switch key {
    case .conversation(let id, incarnation: _):
      conversations[id]?.timer = nil
      tell(id, isUse: false, on: loop) { $0.timeReached(at: $1) }
    case .user(let id, incarnation: _):
      users[id]?.timer = nil
      tell(id, on: loop) { $0.timeReached(at: $1) }
    case .list(let id, incarnation: _):
      lists[id]?.timer = nil
      tellList(of: id, on: loop) { $0.timeReached(at: $1) }
    case .invitations(let id, incarnation: _):
      invitations[id]?.timer = nil
      tellInvitations(of: id, on: loop) { machine, _ in machine.timeReached() }
    }
  }

  /// Wakes a machine at a time; a wish replaces the one before.
  func wake(_ key: MachineKey, at deadline: UInt64, on loop: isolated EventLoop) {
    switch key {
    case .conversation(let id, let incarnation):
      guard let host = conversations[id] else { return }
      host.timer = rewake(host.timer, key, incarnation, at: deadline, on: loop)
    case .user(let id, let incarnation):
      guard let host = users[id] else { return }
      host.timer = rewake(host.timer, key, incarnation, at: deadline, on: loop)
    case .list(let id, let incarnation):
      guard let host = lists[id] else { return }
      host.timer = rewake(host.timer, key, incarnation, at: deadline, on: loop)
    case .invitations(let id, let incarnation):
      guard let host = invitations[id] else { return }
      host.timer = rewake(host.timer, key, incarnation, at: deadline, on: loop)
    }
  }

  private func rewake(
    _ timer: TimerID?, _ key: MachineKey, _ incarnation: UInt64, at deadline: UInt64, on loop: isolated EventLoop
  ) -> TimerID {
    unwake(timer, incarnation, on: loop)
    wakes[incarnation] = key
    return loop.schedule(self, tag: Int(truncatingIfNeeded: incarnation), at: Tick(milliseconds: deadline))
  }

  private func unwake(_ timer: TimerID?, _ incarnation: UInt64, on loop: isolated EventLoop) {
    guard let timer else { return }
    loop.cancel(timer)
    wakes[incarnation] = nil
  }

  // MARK: - Forgetting

  private func sweepLater(on loop: isolated EventLoop) {
    guard !isSweepDue else { return }
    isSweepDue = true
    _ = loop.schedule(self, tag: Self.sweepTag, at: loop.now + Self.forgetAfterMs)
  }

  private func forgetThread(_ id: ConversationID) {
    guard let root = ThreadRoot(of: id)?.conversation else { return }
    threads[root]?.remove(id)
    guard threads[root]?.isEmpty == true else { return }
    threads[root] = nil
    threadRoots.remove(root)
  }

  /// Forgets the machines that nobody needed for a while.
  private func sweep(on loop: isolated EventLoop) {
    isSweepDue = false
    let now = loop.now.milliseconds
    for (id, host) in conversations where host.machine.isIdle && now >= host.lastEvent &+ Self.forgetAfterMs {
      unwake(host.timer, host.incarnation, on: loop)
      conversations[id] = nil
      forgetThread(id)
    }
    for (id, host) in users where host.machine.isIdle && now >= host.lastEvent &+ Self.forgetAfterMs {
      unwake(host.timer, host.incarnation, on: loop)
      users[id] = nil
    }
    if !conversations.isEmpty || !users.isEmpty { sweepLater(on: loop) }
  }
}
