import ChatEngine
import ChatModel
import Crypto
import GatewayProtocol
import Transport

/// The sessions of the process, on one loop: what connections are to a gateway.
final class LocalHub: MailboxOwner {
  private let settings: LocalEngine.Settings
  private let directory: LoopDirectory
  private let inbox: Mailbox<SessionMail>
  private let orders: Mailbox<LocalOrder>
  /// Calls go through the text of the wire: whatever a gateway refuses is refused here by the same code.
  private let decoder: CallDecoder
  private let reader: ServerMessageDecoder
  private var members: [UInt64: LocalMember] = [:]
  private var numbers: [ObjectIdentifier: UInt64] = [:]
  // 0 is the shards' own.
  private var lastNumber: UInt64 = 0

  init?(_ settings: LocalEngine.Settings, _ directory: LoopDirectory, _ orders: Mailbox<LocalOrder>) {
    guard let decoder = CallDecoder(limits: settings.calls), let reader = ServerMessageDecoder(maxMessageBytes: 1 << 30),
      let inbox = directory.sessions.first
    else { return nil }
    self.settings = settings
    self.directory = directory
    self.orders = orders
    self.decoder = decoder
    self.reader = reader
    self.inbox = inbox
  }

  func mailArrived(on loop: isolated EventLoop) {
    for order in orders.take(on: loop) { receive(order) }
    for mail in inbox.take(on: loop) { receive(mail) }
  }

  // MARK: - Of sessions

  private func receive(_ order: LocalOrder) {
    switch order {
    case .open(let id, let opening): open(id, opening)
    case .call(let id, let call, let answer):
      guard let member = numbers[id].flatMap({ members[$0] }) else { return answer(.failure(Self.closed)) }
      member.isOpen ? perform(call, of: member, answer) : member.hold(call, answer)
    case .close(let id):
      guard let number = numbers.removeValue(forKey: id) else { return }
      forget(number)
    case .closeAll(let done):
      for member in members.values { member.receive(.ended(Self.closed)) }
      for number in Array(members.keys) { forget(number) }
      numbers = [:]
      done()
    }
  }

  private static let closed = ChatError(.unauthenticated, "The session is closed")

  private func open(_ id: ObjectIdentifier, _ opening: LocalOpening) {
    lastNumber += 1
    let member = LocalMember(Endpoint(loop: Int32(clamping: inbox.loop.index), connection: lastNumber), opening)
    members[lastNumber] = member
    numbers[id] = lastNumber
    let request = SessionRequest(
      user: opening.user, kind: opening.kind, session: SecureRandom.token(), name: opening.name, issuedAt: WallClock.now() / 1000)
    directory.shard(of: opening.user).post(.open(request, member.call { _ in }))
  }

  private func forget(_ number: UInt64) {
    guard let member = members.removeValue(forKey: number) else { return }
    for (topic, subscriber) in member.takeSubscriptions() {
      shard(of: topic, member).post(.unsubscribe(topic, subscriber, viewer: member.user))
    }
    for answer in member.takeAnswers() { answer(.failure(Self.closed)) }
    directory.shard(of: member.user).post(.closed(member.user, member.endpoint))
  }

  // MARK: - Of shards

  private func receive(_ mail: SessionMail) {
    switch mail {
    case .reply(let call, let result): members[call.endpoint.connection]?.answered(call.serial, result)
    case .admitted(let call, let user):
      guard let member = members[call.endpoint.connection] else { return }
      let permissions = settings.roles[user.role] ?? settings.roles[UserRecord.defaultRole] ?? Permissions()
      let held = member.opened(with: permissions, muted: settings.chat.syncsMutedUsers ? Set(user.muted) : [])
      member.receive(.opened(user.snapshot))
      for (call, answer) in held { perform(call, of: member, answer) }
    case .refused(let call, let error):
      members[call.endpoint.connection]?.receive(.refused(error))
      forget(call.endpoint.connection)
    case .snapshot(let shared, let subscribers): show(shared, to: subscribers)
    // Nobody here asks for sessions.
    case .sessions: break
    case .muted(let endpoints, let users):
      for endpoint in endpoints { if let member = members[endpoint.connection] { mute(users, for: member) } }
    case .revoked(let endpoints):
      for endpoint in endpoints {
        members[endpoint.connection]?.receive(.ended(ChatError(.unauthenticated, "The session was revoked")))
        forget(endpoint.connection)
      }
    }
  }

  private func show(_ shared: SharedSnapshot, to subscribers: [SubscriberID]) {
    let viewers = subscribers.compactMap { subscriber -> LocalMember? in
      guard let member = members[subscriber.endpoint.connection] else { return nil }
      return member.shows(shared, to: subscriber) ? member : nil
    }
    guard !viewers.isEmpty, case .snapshot(let topic, let snapshot) = reader.decode(shared.frame.text, asked: { _ in nil }) else { return }
    for member in viewers { member.receive(.snapshot(topic, snapshot)) }
  }

  // MARK: - Calls

  private func perform(_ call: ChatCall, of member: LocalMember, _ answer: @escaping LocalSession.Answer) {
    guard case .single(let read) = decoder.decode(ClientMessage.call(call).encoded(id: 1)) else {
      return answer(.failure(.tooLarge("call", "must have at most \(settings.calls.maxMessageBytes) bytes")))
    }
    switch read.request {
    case .failure(let error): answer(.failure(ChatError(error)))
    case .success(let request): dispatch(request, of: member, answer)
    }
  }

  private func dispatch(_ request: ClientRequest, of member: LocalMember, _ answer: @escaping LocalSession.Answer) {
    switch request {
    case .createConversation(let id, let new):
      do throws(ChatError) {
        let (id, new) = try new.named(id, by: member.user)
        directory.shard(of: id).post(.call(id, .createIfNotExists(new), member.caller, member.call(answer)))
      } catch { answer(.failure(error)) }
    case .chat(.inConversation(let id, let operation)):
      directory.shard(of: id).post(.call(id, operation, member.caller, member.call(answer)))
    case .chat(.onUser(let user, let operation)):
      directory.shard(of: user).post(.userCall(user, operation, member.caller, member.call(answer)))
    case .chat(.onSelf(let operation)) where operation.isAboutMuted: changeMuted(operation, of: member, answer)
    case .chat(.onSelf(let operation)):
      directory.shard(of: member.user).post(.userCall(member.user, operation, member.caller, member.call(answer)))
    case .chat(.markAllAsRead): directory.shard(of: member.user).post(.markAllAsRead(member.caller, member.call(answer)))
    case .subscribe(let request): subscribe(request, of: member, answer)
    case .unsubscribe(let name, let topic):
      if let subscriber = member.unsubscribe(name) {
        shard(of: topic, member).post(.unsubscribe(topic, subscriber, viewer: member.user))
      }
      answer(.success(.done))
    case .loadMore(let name, let topic, let count):
      guard let subscriber = member.active(name) else {
        return answer(.failure(ChatError(.notFound, "There is no active subscription to this topic", field: "topic")))
      }
      shard(of: topic, member).post(.loadMore(topic, subscriber, viewer: member.user, count: count, member.call(answer)))
    case .ping, .openSession, .refreshSession, .closeSession, .fileToken, .listSessions, .revokeSessions, .cancel: answer(.success(.done))
    }
  }

  private func changeMuted(_ operation: UserOperation, of member: LocalMember, _ answer: @escaping LocalSession.Answer) {
    if settings.chat.syncsMutedUsers {
      return directory.shard(of: member.user).post(.userCall(member.user, operation, member.caller, member.call(answer)))
    }
    do throws(ChatError) {
      if let users = try MuteList.changed(member.caller.muted, by: operation, of: member.user) { mute(users, for: member) }
      answer(.success(operation == .muted ? .muted(member.caller.muted.sorted()) : .done))
    } catch { answer(.failure(error)) }
  }

  private func mute(_ users: Set<UserID>, for member: LocalMember) {
    for (topic, subscriber) in member.mute(users) where topic.hidesMuted {
      shard(of: topic, member).post(.muted(topic, subscriber, viewer: member.user, users))
    }
  }

  private func subscribe(_ request: TopicRequest, of member: LocalMember, _ answer: LocalSession.Answer) {
    let start: WindowStart?
    do throws(ChatError) { start = try request.start } catch { return answer(.failure(error)) }
    answer(.success(.done))
    guard let subscriber = member.subscribe(request) else { return }
    shard(of: request.topic, member).post(.subscribe(request.topic, subscriber, member.caller, from: start, filter: request.filter))
  }

  private func shard(of topic: Topic, _ member: LocalMember) -> Mailbox<ShardMail> { directory.shard(of: topic, viewer: member.user) }
}

extension ChatError {
  /// The chat's part of an error; a request that is none cannot come from a call.
  fileprivate init(_ error: RPCError) {
    switch error.kind {
    case .chat(let kind):
      self.init(kind, error.message, field: error.field, retryAfterMs: error.retryAfterMs, reason: error.reason)
    case .parseError, .invalidRequest, .methodNotFound: self.init(.internal, error.message)
    }
  }
}
