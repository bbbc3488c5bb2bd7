import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserMachineTests {
  private typealias Sample = UserSamples

  private static let ann = Sample.ann
  private static let load: [EngineAction] = [.read([.users([ann])])]
  private static let record = Sample.record(ann)

  /// A machine that knows its user, or that there is none.
  private static func ready(_ record: UserRecord?, id: UserID = ann, settings: ChatSettings = ChatSettings()) -> UserMachine {
    var machine = UserMachine(id: id, settings: settings)
    _ = machine.called(.get, by: Sample.caller(Sample.bob), as: Sample.call(99), at: Sample.moment(0))
    _ = machine.answered(.success([.users(record.map { [$0] } ?? [])]), at: Sample.moment(0))
    return machine
  }

  /// A machine whose user has these sessions.
  private static func connected(_ connections: UInt64...) -> UserMachine {
    var machine = ready(record)
    for connection in connections {
      _ = machine.opening(Sample.request(ann), as: Sample.call(connection), at: Sample.moment(0))
    }
    return machine
  }

  private static func put(_ record: UserRecord) -> EngineAction { .commit(ChangeSet([.putUser(record)])) }

  private static func shown(_ record: UserRecord?, _ number: UInt64) -> EngineAction {
    .reply(Sample.call(number), .success(.user(record?.snapshot)))
  }

  private static func seen(_ record: UserRecord?, to numbers: UInt64...) -> EngineAction {
    .publish(.user(ann), .user(record?.snapshot), to: numbers.map { Sample.subscriber($0) })
  }

  private static func online(_ record: UserRecord, _ isConnected: Bool, to number: UInt64) -> EngineAction {
    .publish(
      .online(ann), .online(OnlineSnapshot(user: record.snapshot, isConnected: isConnected)), to: [Sample.subscriber(number)])
  }

  private static func failed(_ number: UInt64) -> EngineAction { .reply(Sample.call(number), .failure(.unavailable)) }

  // MARK: - Loading

  @Test func `the record is read once, and what arrives meanwhile is answered in order`() {
    let bob = Sample.caller(Sample.bob)
    var machine = UserMachine(id: Self.ann, settings: ChatSettings())
    expect(machine.isIdle, "nothing happened yet")
    expectEqual(machine.called(.get, by: bob, as: Sample.call(1), at: Sample.moment(0)), Self.load, "the first call")
    expect(!machine.isIdle, "a question is open")
    expectEqual(machine.subscribed(Sample.subscriber(2), to: .user, viewer: bob, at: Sample.moment(0)), [], "waits")
    expectEqual(machine.subscribed(Sample.subscriber(3), to: .user, viewer: bob, at: Sample.moment(0)), [], "waits too")
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(4), at: Sample.moment(0)), [], "waits as well")
    machine.unsubscribed(Sample.subscriber(3))
    expectEqual(machine.committed(nil, at: Sample.moment(1)), [], "nothing was written")
    expectEqual(
      machine.answered(.success([.users([Self.record])]), at: Sample.moment(1)),
      [Self.shown(Self.record, 1), Self.seen(Self.record, to: 2), .admit(Sample.call(4), Self.record)], "all in order")
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(1)), [], "nothing was asked")
    expect(!machine.isIdle, "somebody watches")
    machine.unsubscribed(Sample.subscriber(2))
    expect(!machine.isIdle, "somebody is connected")
    expectEqual(machine.closed(Sample.endpoint(4)), [.announceOffline(Self.ann)], "the last connection")
    expect(machine.isIdle, "nobody is left")
  }

  @Test func `when the record cannot be read, calls fail and subscriptions are tried again`() {
    let bob = Sample.caller(Sample.bob)
    for answer: Result<[StoreAnswer], StoreError> in [.failure(Sample.broken), .success([]), .success([.flag(true)])] {
      var machine = UserMachine(id: Self.ann, settings: ChatSettings())
      _ = machine.subscribed(Sample.subscriber(1), to: .user, viewer: bob, at: Sample.moment(0))
      _ = machine.subscribed(Sample.subscriber(2), to: .user, viewer: bob, at: Sample.moment(0))
      _ = machine.opening(Sample.request(Self.ann), as: Sample.call(3), at: Sample.moment(0))
      _ = machine.persist(as: Sample.call(4), at: Sample.moment(0))
      expectEqual(
        machine.answered(answer, at: Sample.moment(10)),
        [.wake(at: 1_010), .refuseSession(Sample.call(3), .unavailable), Self.failed(4)], "\(answer)")
      expect(!machine.isIdle, "subscriptions are parked")
      machine.unsubscribed(Sample.subscriber(1))
      expectEqual(machine.timeReached(at: Sample.moment(1_010)), Self.load, "tried again")
      expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(1_011)), [Self.seen(nil, to: 2)], "nobody")
      expectEqual(machine.timeReached(at: Sample.moment(2_000)), [], "nothing is left to try")
    }
  }

  // MARK: - Guests who look

  @Test func `a guest sees only whom they share a conversation with`() {
    let guest = Sample.caller(Sample.guest, .guest)
    let question: [EngineAction] = [.read([.areTogether(Sample.guest, Self.ann)])]
    for areTogether in [true, false] {
      let visible = areTogether ? Self.record : nil
      var machine = Self.ready(Self.record)
      expectEqual(machine.called(.get, by: guest, as: Sample.call(1), at: Sample.moment(0)), question, "a get asks")
      expect(!machine.isIdle, "a question is open")
      expectEqual(machine.called(.get, by: guest, as: Sample.call(2), at: Sample.moment(0)), [], "the next waits")
      expectEqual(
        machine.answered(.success([.flag(areTogether)]), at: Sample.moment(0)), [Self.shown(visible, 1)] + question, "an answer each")
      expectEqual(machine.answered(.success([.flag(areTogether)]), at: Sample.moment(0)), [Self.shown(visible, 2)], "the second")
      expectEqual(machine.subscribed(Sample.subscriber(3), to: .user, viewer: guest, at: Sample.moment(0)), question, "asks")
      expectEqual(machine.answered(.success([.flag(areTogether)]), at: Sample.moment(0)), [Self.seen(visible, to: 3)], "subscribed")
    }
    var machine = Self.ready(nil)
    expectEqual(machine.subscribed(Sample.subscriber(1), to: .user, viewer: guest, at: Sample.moment(0)), question, "of nobody")
    expectEqual(machine.answered(.success([.flag(false)]), at: Sample.moment(0)), [Self.seen(nil, to: 1)], "nothing to see")
    _ = machine.opening(Sample.request(Self.ann, .guest), as: Sample.call(2), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(2)), [.announceOffline(Self.ann)], "a user who comes later is hidden too")
  }

  @Test func `a guest who left while the store was asked is forgotten`() {
    let guest = Sample.caller(Sample.guest, .guest)
    var machine = Self.ready(Self.record)
    _ = machine.subscribed(Sample.subscriber(1), to: .user, viewer: guest, at: Sample.moment(0))
    _ = machine.called(.get, by: guest, as: Sample.call(2), at: Sample.moment(0))
    machine.unsubscribed(Sample.subscriber(1))
    expectEqual(
      machine.answered(.success([.flag(true)]), at: Sample.moment(0)), [.read([.areTogether(Sample.guest, Self.ann)])],
      "the answer is not the next one's")
    expectEqual(machine.answered(.success([.flag(false)]), at: Sample.moment(0)), [Self.shown(nil, 2)], "the next one")
    expect(machine.isIdle, "nobody watches")
  }

  @Test func `when the store does not say who is together, a call fails and a subscription waits`() {
    let guest = Sample.caller(Sample.guest, .guest)
    for answer: Result<[StoreAnswer], StoreError> in [.failure(Sample.broken), .success([]), .success([.users([])])] {
      var machine = Self.ready(Self.record)
      _ = machine.subscribed(Sample.subscriber(1), to: .online, viewer: guest, at: Sample.moment(0))
      _ = machine.called(.get, by: guest, as: Sample.call(2), at: Sample.moment(0))
      _ = machine.called(.get, by: Sample.caller(Sample.bob), as: Sample.call(3), at: Sample.moment(0))
      let question = EngineAction.read([.areTogether(Sample.guest, Self.ann)])
      expectEqual(machine.answered(answer, at: Sample.moment(5)), [.wake(at: 1_005), question], "parked")
      expectEqual(machine.answered(answer, at: Sample.moment(6)), [Self.failed(2), Self.shown(Self.record, 3)], "the rest goes on")
      expectEqual(machine.timeReached(at: Sample.moment(1_005)), [question], "tried again")
      expectEqual(
        machine.answered(.success([.flag(true)]), at: Sample.moment(1_006)), [Self.online(Self.record, false, to: 1)], "seen at last")
    }
  }

  // MARK: - Changes

  @Test func `a change is told once it is kept, at most once a second`() {
    let own = Sample.caller(Self.ann)
    let app = Sample.caller(Sample.bob, .app)
    var machine = Self.ready(Self.record)
    _ = machine.subscribed(Sample.subscriber(9), to: .user, viewer: own, at: Sample.moment(0))
    var changed = Self.record
    changed.name = "Anne"
    changed.revision = 2
    changed.changedAt = 50_100
    let rename = UserOperation.set(Sample.renaming("Anne"))
    expectEqual(machine.called(rename, by: own, as: Sample.call(1), at: Sample.moment(100)), [Self.put(changed)], "written")
    expect(!machine.isIdle, "a change is under way")
    expectEqual(machine.called(.get, by: own, as: Sample.call(2), at: Sample.moment(100)), [], "what follows waits")
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(100)), [], "nothing was asked")
    expectEqual(
      machine.committed(nil, at: Sample.moment(101)),
      [Self.shown(changed, 1), .announceUser(changed), Self.seen(changed, to: 9), Self.shown(changed, 2)], "kept")
    expectEqual(machine.called(rename, by: own, as: Sample.call(3), at: Sample.moment(102)), [Self.shown(changed, 3)], "no change")
    let again = UserOperation.set(Sample.renaming("Anna"))
    let early = ChatError(.rateLimited, "A user may be changed once a second", retryAfterMs: 400)
    expectEqual(
      machine.called(again, by: own, as: Sample.call(4), at: Sample.moment(700)), [.reply(Sample.call(4), .failure(early))], "early")
    var byApp = changed
    byApp.name = "Anna"
    byApp.revision = 3
    byApp.changedAt = 50_701
    expectEqual(machine.called(again, by: app, as: Sample.call(5), at: Sample.moment(701)), [Self.put(byApp)], "a backend may")
    expectEqual(machine.committed(nil, at: Sample.moment(702)).first, Self.shown(byApp, 5), "and does")
    expectEqual(machine.called(rename, by: own, as: Sample.call(6), at: Sample.moment(1_100)).count, 1, "a second later")
    let full = StoreError(.full, code: 13, "The disk is full")
    expectEqual(
      machine.committed(full, at: Sample.moment(1_101)), [.reply(Sample.call(6), .failure(.unavailable(full)))], "not kept")
    expectEqual(machine.called(.get, by: own, as: Sample.call(7), at: Sample.moment(1_102)), [Self.shown(byApp, 7)], "nor shown")
    let forbidden = ChatError(.forbidden, "You may change only your own user", field: "user")
    expectEqual(
      machine.called(rename, by: Sample.caller(Sample.bob), as: Sample.call(8), at: Sample.moment(9_000)),
      [.reply(Sample.call(8), .failure(forbidden))], "another's")
  }

  @Test func `what is not kept yet is not shown when a connection ends`() {
    var machine = Self.connected(1)
    let own = Sample.caller(Self.ann)
    _ = machine.subscribed(Sample.subscriber(8), to: .user, viewer: own, at: Sample.moment(0))
    _ = machine.subscribed(Sample.subscriber(9), to: .online, viewer: own, at: Sample.moment(0))
    _ = machine.called(.set(Sample.renaming("Anne")), by: own, as: Sample.call(1), at: Sample.moment(0))
    expectEqual(
      machine.closed(Sample.endpoint(1)), [.announceOffline(Self.ann), Self.online(Self.record, false, to: 9)], "the old name")
  }

  // MARK: - Sessions

  @Test func `a user's first session makes the record, later ones find it`() {
    var machine = Self.ready(nil)
    let own = Sample.caller(Self.ann)
    _ = machine.subscribed(Sample.subscriber(9), to: .online, viewer: own, at: Sample.moment(0))
    var request = Sample.request(Self.ann, role: "admin", expiresAt: 60)
    let made = UserRecord(id: Self.ann, name: "Ann", createdAt: 50_000)
    expectEqual(machine.opening(request, as: Sample.call(1), at: Sample.moment(0)), [Self.put(made)], "first sight")
    request.role = nil
    expectEqual(machine.opening(request, as: Sample.call(2), at: Sample.moment(0)), [], "the second waits")
    expectEqual(
      machine.committed(nil, at: Sample.moment(5)),
      [.admit(Sample.call(1), made), .announceUser(made), Self.online(made, true, to: 9), .admit(Sample.call(2), made)], "both open")
    machine.refreshed(Sample.endpoint(2), expiresAt: 90)
    let sessions = [
      SessionRecord(session: "s", endpoint: Sample.endpoint(1), kind: .user, role: "admin", openedAt: 50_000, expiresAt: 60),
      SessionRecord(session: "s", endpoint: Sample.endpoint(2), kind: .user, role: "default", openedAt: 50_005, expiresAt: 90),
    ]
    expectEqual(machine.listSessions(as: Sample.call(3)), [.replyWithSessions(Sample.call(3), sessions)], "listed")
    expectEqual(machine.closed(Sample.endpoint(1)), [], "one is left")
    expectEqual(machine.closed(Sample.endpoint(1)), [], "it is gone already")
    expectEqual(machine.closed(Sample.endpoint(2)), [.announceOffline(Self.ann), Self.online(made, false, to: 9)], "the last")
  }

  @Test func `a connection that ends while its session opens leaves no session`() {
    let request = Sample.request(Self.ann)
    let made = UserRecord(id: Self.ann, name: "Ann", createdAt: 50_000)
    let empty: [EngineAction] = [.replyWithSessions(Sample.call(5), [])]

    var machine = UserMachine(id: Self.ann, settings: ChatSettings())
    _ = machine.opening(request, as: Sample.call(1), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(1)), [], "while the record is read")
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(0)), [], "nobody wants it")
    expectEqual(machine.listSessions(as: Sample.call(5)), empty, "closed while loading")

    _ = machine.opening(request, as: Sample.call(1), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(2)), [], "another connection's end")
    expectEqual(machine.opening(request, as: Sample.call(2), at: Sample.moment(0)), [], "a second in the queue")
    expectEqual(machine.closed(Sample.endpoint(2)), [], "closed in the queue")
    expectEqual(machine.closed(Sample.endpoint(1)), [], "closed while the record is written")
    expectEqual(machine.committed(nil, at: Sample.moment(0)), [.announceUser(made)], "the user stays, nobody is admitted")
    expectEqual(machine.listSessions(as: Sample.call(5)), empty, "closed while committing")
    expect(machine.isIdle, "nothing is left")
  }

  @Test func `a first session whose record is not kept is refused`() {
    var machine = Self.ready(nil)
    _ = machine.opening(Sample.request(Self.ann), as: Sample.call(1), at: Sample.moment(0))
    _ = machine.persist(as: Sample.call(2), at: Sample.moment(0))
    expectEqual(
      machine.committed(Sample.broken, at: Sample.moment(0)),
      [.refuseSession(Sample.call(1), .unavailable), .reply(Sample.call(2), .success(.done))], "refused; there is nothing to persist")
    expect(machine.isIdle, "nothing is left")
  }

  // MARK: - Revoking

  @Test func `revoking ends the sessions and refuses the tokens issued until then`() {
    var revoked = Self.record
    revoked.revokedAt = 50
    revoked.revision = 2
    revoked.changedAt = 50_010
    var machine = Self.connected(2, 1)
    expectEqual(machine.revoke(as: Sample.call(7), at: Sample.moment(10)), [Self.put(revoked)], "written")
    let refusal = ChatError(.unauthenticated, "The token was revoked; ask for a new one", field: "token")
    let tokens: [(UInt64, Int64?, isRefused: Bool)] = [(3, 49, true), (4, 50, true), (5, nil, true), (6, 51, false)]
    for (number, issuedAt, _) in tokens {
      let request = Sample.request(Self.ann, issuedAt: issuedAt)
      expectEqual(machine.opening(request, as: Sample.call(number), at: Sample.moment(11)), [], "token \(number) waits")
    }
    let answers: [EngineAction] = tokens.map { number, _, isRefused in
      isRefused ? .refuseSession(Sample.call(number), refusal) : .admit(Sample.call(number), revoked)
    }
    expectEqual(
      machine.committed(nil, at: Sample.moment(12)),
      [.reply(Sample.call(7), .success(.count(2))), .endSessions([Sample.endpoint(1), Sample.endpoint(2)]), .announceUser(revoked)]
        + answers, "ended, and the waiting ones judged by it")
    expectEqual(machine.revoke(as: Sample.call(8), at: Sample.moment(13)), [Self.put(revoked)], "again in the same second")
    let ended = [1, 2, 6].map { Sample.endpoint($0) }
    expectEqual(
      machine.committed(nil, at: Sample.moment(14)),
      [.reply(Sample.call(8), .success(.count(3))), .endSessions(ended), .announceUser(revoked)], "ended again")
  }

  @Test func `revoking somebody without sessions ends none, and may fail`() {
    var machine = Self.ready(nil)
    _ = machine.revoke(as: Sample.call(1), at: Sample.moment(0))
    expectEqual(machine.committed(Sample.broken, at: Sample.moment(0)), [Self.failed(1)], "not kept")
    _ = machine.revoke(as: Sample.call(2), at: Sample.moment(0))
    let made = UserRules.revoked(nil, id: Self.ann, at: 50_000)
    expectEqual(
      machine.committed(nil, at: Sample.moment(0)), [.reply(Sample.call(2), .success(.count(0))), .announceUser(made)], "kept")
  }

  // MARK: - Provisional guests

  @Test func `a guest's row is written when it is needed, once`() {
    let id = Sample.guest
    let guest = UserRecord(id: id, name: "Moose", createdAt: 50_000)
    var machine = Self.ready(nil, id: id)
    let request = Sample.request(id, .guest, name: "Moose", issuedAt: nil)
    expectEqual(machine.opening(request, as: Sample.call(1), at: Sample.moment(0)), [.admit(Sample.call(1), guest)], "no row")
    expectEqual(machine.opening(request, as: Sample.call(2), at: Sample.moment(9)), [.admit(Sample.call(2), guest)], "again")
    expectEqual(
      machine.called(.get, by: Sample.caller(Sample.bob), as: Sample.call(3), at: Sample.moment(9)), [Self.shown(guest, 3)], "seen")
    expectEqual(machine.persist(as: Sample.call(4), at: Sample.moment(9)), [Self.put(guest)], "written")
    expectEqual(machine.persist(as: Sample.call(5), at: Sample.moment(9)), [], "the second session's wish waits")
    expectEqual(machine.committed(Sample.broken, at: Sample.moment(9)), [Self.failed(4), Self.put(guest)], "tried again for the second")
    let kept = EngineAction.reply(Sample.call(5), .success(.done))
    expectEqual(machine.committed(nil, at: Sample.moment(9)), [kept, .announceUser(guest)], "kept")
    expectEqual(machine.persist(as: Sample.call(6), at: Sample.moment(9)), [.reply(Sample.call(6), .success(.done))], "once")
  }

  @Test func `a provisional guest is written by a change and by a session that is no guest's`() {
    let guest = Sample.caller(Sample.guest, .guest)
    let openAsGuest = Sample.request(Sample.guest, .guest)
    for asMember in [true, false] {
      var machine = Self.ready(nil, id: Sample.guest)
      _ = machine.opening(openAsGuest, as: Sample.call(1), at: Sample.moment(0))
      let actions =
        asMember
        ? machine.opening(Sample.request(Sample.guest, .app), as: Sample.call(2), at: Sample.moment(1))
        : machine.called(.set(Sample.renaming("Elk")), by: guest, as: Sample.call(2), at: Sample.moment(1))
      guard case .commit? = actions.first else {
        expect(false, "a row is written")
        continue
      }
      expectEqual(machine.committed(nil, at: Sample.moment(2)).count, 2, "told, and announced")
      let done = EngineAction.reply(Sample.call(3), .success(.done))
      expectEqual(machine.persist(as: Sample.call(3), at: Sample.moment(3)), [done], "nothing is left to write")
    }
  }
}
