import ChatEngine
import ChatModel
import GatewayProtocol
import Transport

// What the machines decided is done here.
extension Shard {
  /// The one switch: does what a machine decided, in its order.
  func perform(_ actions: [EngineAction], of key: MachineKey, on loop: isolated EventLoop) {
    for action in actions {
      switch action {
      case .read(let queries): read(queries, for: key)
      case .commit(let changes): store.commit(changes) { [inbox] in inbox.post(.committed(key, $0)) }
      case .replyWithHistory(let call, let conversation, let query):
        readAside(SideRead(call: call, query: query, answer: .history(conversation)))
      case .replyWithReports(let call, let conversation, let query):
        readAside(SideRead(call: call, query: query, answer: .reports(conversation)))
      case .invitationsChanged(let users): for user in users { directory.shard(of: user).post(.invitationsChanged(user)) }
      case .replyWithPresent(let call, let page): readAside(SideRead(call: call, query: .users(page.users), answer: .present(page)))
      case .replyWithConversations(let call, let query): readAside(SideRead(call: call, query: query, answer: .conversations))
      case .reply(let call, let result): reply(call, result)
      case .publish(let topic, let snapshot, to: let subscribers): publish(topic, snapshot, to: subscribers)
      case .updateList(let user, let conversation, revision: let revision, let snapshot):
        directory.shard(of: user).post(.listChanged(user, conversation, revision: revision, snapshot))
      case .touchList(let user): directory.shard(of: user).post(.listTouched(user))
      case .tellMuted(let endpoints, let users): tellMuted(endpoints, users)
      case .tellThreads(let id, let news): directory.shard(of: id).post(.threadNews(of: id, news))
      case .tellRoot(let root, let summary): directory.shard(of: root.conversation).post(.threadChanged(root, summary))
      case .announceUser(let user): announce(.userChanged(user))
      case .announceOffline(let user): announce(.userWentOffline(user))
      case .announcePresence(let user, isOnline: let isOnline): announce(.presenceChanged(user, isOnline: isOnline))
      case .announceList(let user, isLive: let isLive): announceList(of: user, isLive: isLive, key)
      case .announceGuest(let guest, isWatching: let isWatching): announceGuest(guest, isWatching: isWatching, key)
      case .membersMoved(let users): announce(.membersMoved(users))
      case .wantLook: wantLook(key, on: loop)
      case .wake(at: let deadline): wake(key, at: deadline, on: loop)
      case .admit(let call, let user): directory.sessions(of: call.endpoint)?.post(.admitted(call, user))
      case .refuseSession(let call, let error): directory.sessions(of: call.endpoint)?.post(.refused(call, error))
      case .replyWithSessions(let call, let sessions): directory.sessions(of: call.endpoint)?.post(.sessions(call, sessions))
      case .endSessions(let endpoints): endSessions(endpoints)
      }
    }
  }

  /// Sends a reply to the connection that waits for it, or counts it where the call was our own.
  func reply(_ call: CallID, _ result: Result<ChatReply, ChatError>) {
    if call.endpoint.connection == Self.ownConnection {
      let shard = directory.shards[Int(call.endpoint.loop)]
      if case .failure(let error) = result { return shard.post(.markedAsRead(batch: call.serial, error)) }
      return shard.post(.markedAsRead(batch: call.serial, nil))
    }
    directory.sessions(of: call.endpoint)?.post(.reply(call, result))
  }

  /// The connection number of calls that a shard makes itself.
  static let ownConnection: UInt64 = 0

  func announce(_ mail: ShardMail) {
    for shard in directory.shards { shard.post(mail) }
  }

  private func announceList(of user: UserID, isLive: Bool, _ key: MachineKey) {
    guard case .list(let name, let incarnation) = key else { return }
    if isLive { unnoted[incarnation] = directory.shards.count }
    announce(.listWatched(name, listNames.watch(of: user), incarnation: incarnation, notify: isLive ? index : nil))
  }

  /// Encodes a snapshot once and sends it to each loop that has subscribers of it.
  private func publish(_ topic: Topic, _ snapshot: TopicSnapshot, to subscribers: [SubscriberID]) {
    let text = ServerMessage.encodedSubscription(topic, snapshot)
    let shared = SharedSnapshot(
      topic: TopicName.text(of: topic), isNull: snapshot.isNull, text: text, mayBeCompressed: isCompressing && !topic.showsManyRooms)
    if let first = subscribers.first, subscribers.count == 1 {
      directory.sessions(of: first.endpoint)?.post(.snapshot(shared, to: subscribers))
      return
    }
    var byLoop = [[SubscriberID]](repeating: [], count: directory.sessions.count)
    for subscriber in subscribers {
      let loop = Int(subscriber.endpoint.loop)
      if byLoop.indices.contains(loop) { byLoop[loop].append(subscriber) }
    }
    for (loop, members) in byLoop.enumerated() where !members.isEmpty { directory.sessions[loop].post(.snapshot(shared, to: members)) }
  }

  private func tellMuted(_ endpoints: [Endpoint], _ users: Set<UserID>) {
    for (loop, members) in Dictionary(grouping: endpoints, by: \.loop) where directory.sessions.indices.contains(Int(loop)) {
      directory.sessions[Int(loop)].post(.muted(members, users))
    }
  }

  private func endSessions(_ endpoints: [Endpoint]) {
    for (loop, members) in Dictionary(grouping: endpoints, by: \.loop) where directory.sessions.indices.contains(Int(loop)) {
      directory.sessions[Int(loop)].post(.revoked(members))
    }
  }

  // MARK: - Subscriptions

  func subscribe(
    _ subscriber: SubscriberID, to topic: Topic, _ viewer: Caller, _ from: WindowStart?, _ filter: ConversationFilter?,
    on loop: isolated EventLoop
  ) {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id):
      tell(id, on: loop) { $0.subscribed(subscriber, to: topic.kind, viewer: viewer.user, muted: viewer.muted, from: from, at: $1) }
    case .user(let id), .online(let id):
      tell(id, on: loop) { $0.subscribed(subscriber, to: topic.kind, viewer: viewer, at: $1) }
    case .conversations(let label):
      let name = ListName(user: viewer.user, muted: viewer.muted, filter: filter)
      listNames.subscribe(subscriber, to: name)
      tellList(of: name, on: loop) { machine, _ in machine.subscribed(subscriber, label: label) }
    case .invitations: tellInvitations(of: viewer.user, on: loop) { machine, _ in machine.subscribed(subscriber) }
    }
  }

  func unsubscribe(_ subscriber: SubscriberID, from topic: Topic, _ viewer: UserID, on loop: isolated EventLoop) {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id):
      guard conversations[id] != nil else { return }
      tell(id, on: loop) { $0.unsubscribed(subscriber, at: $1) }
    case .user(let id), .online(let id):
      guard users[id] != nil else { return }
      tell(id, on: loop) { machine, _ in machine.unsubscribed(subscriber) }
    case .conversations:
      guard let name = listNames.unsubscribe(subscriber), lists[name] != nil else { return }
      tellList(of: name, on: loop) { machine, _ in machine.unsubscribed(subscriber) }
    case .invitations:
      guard invitations[viewer] != nil else { return }
      tellInvitations(of: viewer, on: loop) { machine, _ in machine.unsubscribed(subscriber) }
    }
  }

  /// A subscriber does not see these users from now on.
  func muted(_ topic: Topic, _ subscriber: SubscriberID, _ viewer: UserID, _ users: Set<UserID>, on loop: isolated EventLoop) {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id):
      guard conversations[id] != nil else { return }
      tell(id, on: loop) { $0.muted(users, for: subscriber, at: $1) }
    case .conversations(let label):
      guard let old = listNames[subscriber], old.muted != users else { return }
      let name = ListName(user: viewer, muted: users, filter: old.filter)
      // The new list is there before the old one is forgotten: the loops go on reporting.
      listNames.subscribe(subscriber, to: name)
      tellList(of: name, on: loop) { machine, _ in machine.subscribed(subscriber, label: label) }
      tellList(of: old, on: loop) { machine, _ in machine.unsubscribed(subscriber) }
    case .invitations, .user, .online: break
    }
  }

  func loadMore(
    _ topic: Topic, _ subscriber: SubscriberID, _ viewer: UserID, _ count: Int?, _ call: CallID, on loop: isolated EventLoop
  ) {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id):
      tell(id, on: loop) { $0.loadMore(count, for: subscriber, as: call, at: $1) }
    case .conversations:
      let name = listNames[subscriber] ?? ListName(user: viewer)
      tellList(of: name, on: loop) { machine, _ in machine.loadMore(count, for: subscriber, as: call) }
    case .invitations, .user, .online: reply(call, .failure(.invalid("topic", "has no more to load")))
    }
  }

  // MARK: - History, and reading everything

  private func readAside(_ read: SideRead) {
    if sideReads.begin(read) { ask(read) }
  }

  private func ask(_ read: SideRead) {
    store.read([read.query]) { [inbox] in inbox.post(.readAside(read, $0)) }
  }

  /// A call is no longer wanted.
  func cancel(_ call: CallID, in conversation: ConversationID, on loop: isolated EventLoop) {
    if sideReads.cancel(call) { return reply(call, .failure(ChatError(.cancelled, "The call was cancelled"))) }
    guard conversations[conversation] != nil else { return }
    tell(conversation, on: loop) { $0.cancelled(call, at: $1) }
  }

  /// Replies with what the store says; goes on with what waits for it.
  func reply(_ read: SideRead, _ result: Result<[StoreAnswer], StoreError>) {
    if let next = sideReads.finished() { ask(next) }
    switch result {
    case .success(let answers): reply(read.call, answers.first.flatMap(read.reply(to:)).map { .success($0) } ?? .failure(.unavailable))
    case .failure(let error): reply(read.call, .failure(.unavailable(error)))
    }
  }

  func beginReadingAll(_ caller: Caller, _ call: CallID) {
    store.read([.unreadConversations(caller.user)]) { [inbox] in inbox.post(.unreadConversations(caller, call, $0)) }
  }

  func readAll(_ caller: Caller, _ call: CallID, _ result: Result<[StoreAnswer], StoreError>) {
    guard case .success(let answers) = result, case .conversations(let ids)? = answers.first else {
      return reply(call, .failure(.unavailable))
    }
    guard !ids.isEmpty else { return reply(call, .success(.count(0))) }
    readingAll.begin(call, of: caller, ids)
    readFurther()
  }

  /// Marks conversations as read for as long as there may be more of it under way.
  func readFurther() {
    while let part = readingAll.next() {
      let own = CallID(endpoint: Endpoint(loop: Int32(index), connection: Self.ownConnection), serial: part.batch)
      directory.shard(of: part.conversation).post(.call(part.conversation, .markAsRead(upTo: nil), part.caller, own))
    }
  }
}

extension Topic {
  /// Whether texts of several conversations stand in one snapshot: who writes in one of them could learn by the size of a compressed one
  /// what stands in another (BREACH).
  var showsManyRooms: Bool {
    switch self {
    case .conversations, .invitations: true
    case .conversation, .messages, .participants, .typing, .user, .online: false
    }
  }
}
