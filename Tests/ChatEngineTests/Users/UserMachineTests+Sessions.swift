import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

// Sessions, revoking, provisional guests, and the queue that they pass.
extension UserMachineTests {
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
      [Self.present, .admit(Sample.call(1), made), .announceUser(made), Self.online(made, true, to: 9), .admit(Sample.call(2), made)],
      "both open")
    expectEqual(
      machine.refresh(issuedAt: 50, expiresAt: 90, as: Sample.call(2), at: Sample.moment(5)), [.reply(Sample.call(2), .success(.done))],
      "a later end")
    let sessions = [
      SessionRecord(session: "s", endpoint: Sample.endpoint(1), kind: .user, role: "admin", openedAt: 50_000, expiresAt: 60),
      SessionRecord(session: "s", endpoint: Sample.endpoint(2), kind: .user, role: "default", openedAt: 50_005, expiresAt: 90),
    ]
    expectEqual(machine.listSessions(as: Sample.call(3)), [.replyWithSessions(Sample.call(3), sessions)], "listed")
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [], "one is left")
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [], "it is gone already")
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(0)), Self.leaving, "the last")
  }

  @Test func `a connection that ends while its session opens leaves no session`() {
    let request = Sample.request(Self.ann)
    let made = UserRecord(id: Self.ann, name: "Ann", createdAt: 50_000)
    let empty: [EngineAction] = [.replyWithSessions(Sample.call(5), [])]

    var machine = UserMachine(id: Self.ann, settings: ChatSettings())
    _ = machine.opening(request, as: Sample.call(1), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [], "while the record is read")
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(0)), [], "nobody wants it")
    expectEqual(machine.listSessions(as: Sample.call(5)), empty, "closed while loading")

    _ = machine.opening(request, as: Sample.call(1), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(0)), [], "another connection's end")
    expectEqual(machine.opening(request, as: Sample.call(2), at: Sample.moment(0)), [], "a second in the queue")
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(0)), [], "closed in the queue")
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [], "closed while the record is written")
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

  @Test func `a user has so many sessions and no more, those that are being written among them`() {
    var settings = ChatSettings()
    settings.sessionsPerUser = 2
    let full = ChatError(.limitExceeded, "A user has at most 2 sessions at a time; close another one first")
    let made = UserRecord(id: Self.ann, name: "Ann", createdAt: 50_000)
    var machine = UserMachine(id: Self.ann, settings: settings)
    for number in 1...3 as ClosedRange<UInt64> {
      _ = machine.opening(Sample.request(Self.ann), as: Sample.call(number), at: Sample.moment(0))
    }
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(0)), [Self.put(made)], "the first is written")
    expectEqual(
      machine.committed(nil, at: Sample.moment(0)),
      [
        Self.present, .admit(Sample.call(1), made), .announceUser(made), .admit(Sample.call(2), made), .refuseSession(Sample.call(3), full),
      ],
      "the third is one too many")
    expectEqual(machine.closed(Sample.endpoint(3), at: Sample.moment(0)), [], "it was none")
    let again = machine.opening(Sample.request(Self.ann), as: Sample.call(4), at: Sample.moment(1))
    expectEqual(again, [.refuseSession(Sample.call(4), full)], "still")
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [], "one ends")
    let place = machine.opening(Sample.request(Self.ann), as: Sample.call(5), at: Sample.moment(2))
    expectEqual(place, [.admit(Sample.call(5), made)], "its place is free")
    settings.sessionsPerUser = 0
    machine = UserMachine(id: Self.ann, settings: settings)
    _ = machine.opening(Sample.request(Self.ann), as: Sample.call(1), at: Sample.moment(0))
    _ = machine.answered(.success([.users([made])]), at: Sample.moment(0))
    for number in 2...100 as ClosedRange<UInt64> {
      let actions = machine.opening(Sample.request(Self.ann), as: Sample.call(number), at: Sample.moment(0))
      if actions != [.admit(Sample.call(number), made)] { expect(false, "\(number): no limit") }
    }
  }

  @Test func `roles that are configured later are known to a machine that runs`() {
    var machine = Self.ready(Self.record)
    var patch = UserPatch()
    patch.role = .set("fresh")
    let app = Sample.caller(Sample.bob, .app)
    let unknown = ChatError.invalid("role", "is not a role of the configuration")
    let call = { (number: UInt64, machine: inout UserMachine) in
      machine.called(.set(patch), by: app, as: Sample.call(number), at: Sample.moment(0))
    }
    expectEqual(call(1, &machine), [.reply(Sample.call(1), .failure(unknown))], "not yet")
    machine.rolesChanged(["default", "fresh"])
    guard case .commit? = call(2, &machine).first else { return expect(false, "it is written") }
    _ = machine.committed(nil, at: Sample.moment(0))
    machine.rolesChanged(["default"])
    patch.role = .set("gone")
    expectEqual(call(3, &machine), [.reply(Sample.call(3), .failure(unknown))], "not any more")
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
    let none = SessionRequest.withoutToken
    let tokens: [(UInt64, Int64?, isRefused: Bool)] = [(3, 49, true), (4, 50, true), (5, nil, true), (6, 51, false), (9, none, false)]
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
    let ended = [1, 2, 6, 9].map { Sample.endpoint($0) }
    expectEqual(
      machine.committed(nil, at: Sample.moment(14)),
      [.reply(Sample.call(8), .success(.count(4))), .endSessions(ended), .announceUser(revoked)], "ended again")
  }

  @Test func `a session is not extended by a token that was revoked, nor while that is being decided`() {
    var machine = Self.connected(1)
    _ = machine.revoke(as: Sample.call(7), at: Sample.moment(10))
    for issuedAt: Int64? in [49, nil, 51] {
      expectEqual(machine.refresh(issuedAt: issuedAt, expiresAt: 90, as: Sample.call(1), at: Sample.moment(11)), [], "waits")
    }
    let refusal = ChatError(.unauthenticated, "The token was revoked; ask for a new one", field: "token")
    let refused = EngineAction.reply(Sample.call(1), .failure(refusal))
    expectEqual(
      Array(machine.committed(nil, at: Sample.moment(12)).suffix(3)),
      [refused, refused, .reply(Sample.call(1), .success(.done))], "judged by what was revoked")
    guard case .replyWithSessions(_, let sessions)? = machine.listSessions(as: Sample.call(8)).first else {
      return expect(false, "sessions are listed")
    }
    expectEqual(sessions.map(\.expiresAt), [90], "by the last token only")
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
    expectEqual(machine.opening(request, as: Sample.call(1), at: Sample.moment(0)).last, .admit(Sample.call(1), guest), "no row")
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

  // MARK: - A full queue

  @Test func `an opening passes the looks of others, and keeps the order of what its connection asked`() {
    var machine = UserMachine(id: Self.ann, settings: ChatSettings())
    let bob = Sample.caller(Sample.bob)
    _ = machine.called(.get, by: bob, as: Sample.call(1), at: Sample.moment(0))
    _ = machine.subscribed(Sample.subscriber(2), to: .user, viewer: bob, at: Sample.moment(0))
    _ = machine.opening(Sample.request(Self.ann), as: Sample.call(3), at: Sample.moment(0))
    _ = machine.persist(as: Sample.call(1), at: Sample.moment(0))
    _ = machine.opening(Sample.request(Self.ann), as: Sample.call(4), at: Sample.moment(0))
    let done = EngineAction.reply(Sample.call(1), .success(.done))
    expectEqual(
      machine.answered(.success([.users([Self.record])]), at: Sample.moment(1)),
      [
        Self.present, .admit(Sample.call(3), Self.record), Self.shown(Self.record, 1), done, .admit(Sample.call(4), Self.record),
        Self.seen(Self.record, to: 2),
      ], "openings first, what one connection asked in its order")
  }

  @Test func `a full queue refuses calls, keeps subscriptions for later and lets sessions open`() {
    var machine = UserMachine(id: Self.ann, settings: ChatSettings())
    let bob = Sample.caller(Sample.bob)
    let full = ChatError(.unavailable, "Too many calls wait for this user", retryAfterMs: 1000)
    for number in 1...UInt64(UserMachine.maxWaiting) {
      let actions = machine.called(.get, by: bob, as: Sample.call(number), at: Sample.moment(0))
      if actions != (number == 1 ? Self.load : []) { expect(false, "call \(number) waits") }
    }
    expectEqual(
      machine.called(.get, by: bob, as: Sample.call(9_000), at: Sample.moment(0)), [.reply(Sample.call(9_000), .failure(full))],
      "one too many")
    for number in UInt64(UserMachine.maxWaiting)..<UInt64(UserMachine.maxWaitingSubscriptions) {
      _ = machine.subscribed(Sample.subscriber(number), to: .user, viewer: bob, at: Sample.moment(0))
    }
    expectEqual(
      machine.subscribed(Sample.subscriber(9_001), to: .user, viewer: bob, at: Sample.moment(0)), [.wake(at: 1_000)], "parked")
    expectEqual(machine.timeReached(at: Sample.moment(1_000)), [.wake(at: 2_000)], "still full")
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(9_002), at: Sample.moment(1_000)), [], "waits")
    let actions = machine.answered(.success([.users([Self.record])]), at: Sample.moment(1_001))
    expectEqual(Array(actions.prefix(2)), [Self.present, .admit(Sample.call(9_002), Self.record)], "the login first")
    expectEqual(actions.count, 2 + UserMachine.maxWaitingSubscriptions, "then everything else")
    expectEqual(machine.timeReached(at: Sample.moment(2_000)), [Self.seen(Self.record, to: 9_001)], "not lost")
  }
}
