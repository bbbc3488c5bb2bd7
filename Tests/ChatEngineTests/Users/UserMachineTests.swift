import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct UserMachineTests {
  typealias Sample = UserSamples

  static let ann = Sample.ann
  static let load: [EngineAction] = [.read([.users([ann])])]
  static let record = Sample.record(ann)

  /// A machine that knows its user, or that there is none.
  static func ready(_ record: UserRecord?, id: UserID = ann, settings: ChatSettings = ChatSettings()) -> UserMachine {
    var machine = UserMachine(id: id, settings: settings)
    _ = machine.called(.get, by: Sample.caller(Sample.bob), as: Sample.call(99), at: Sample.moment(0))
    _ = machine.answered(.success([.users(record.map { [$0] } ?? [])]), at: Sample.moment(0))
    return machine
  }

  /// A machine whose user has these sessions.
  static func connected(_ connections: UInt64...) -> UserMachine {
    var machine = ready(record)
    for connection in connections {
      _ = machine.opening(Sample.request(ann), as: Sample.call(connection), at: Sample.moment(0))
    }
    return machine
  }

  static func put(_ record: UserRecord) -> EngineAction { .commit(ChangeSet([.putUser(record)])) }

  static func shown(_ record: UserRecord?, _ number: UInt64) -> EngineAction {
    .reply(Sample.call(number), .success(.user(record?.snapshot)))
  }

  static func seen(_ record: UserRecord?, to numbers: UInt64...) -> EngineAction {
    .publish(.user(ann), .user(record?.snapshot), to: numbers.map { Sample.subscriber($0) })
  }

  static func online(_ record: UserRecord, _ isConnected: Bool, to number: UInt64) -> EngineAction {
    .publish(
      .online(ann), .online(OnlineSnapshot(user: record.snapshot, isConnected: isConnected)), to: [Sample.subscriber(number)])
  }

  /// What the loops are told when the first connection comes.
  static let present = EngineAction.announcePresence(ann, isOnline: true)
  /// What comes of the end of the last connection: the rest is told when the grace is over.
  static let leaving: [EngineAction] = [.announceOffline(ann), .wake(at: 15_000)]

  static func failed(_ number: UInt64) -> EngineAction { .reply(Sample.call(number), .failure(.unavailable)) }

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
    _ = machine.unsubscribed(Sample.subscriber(3))
    expectEqual(machine.committed(nil, at: Sample.moment(1)), [], "nothing was written")
    expectEqual(
      machine.answered(.success([.users([Self.record])]), at: Sample.moment(1)),
      [Self.present, .admit(Sample.call(4), Self.record), Self.shown(Self.record, 1), Self.seen(Self.record, to: 2)],
      "the session, then in order")
    expectEqual(machine.answered(.success([.users([])]), at: Sample.moment(1)), [], "nothing was asked")
    expect(!machine.isIdle, "somebody watches")
    _ = machine.unsubscribed(Sample.subscriber(2))
    expect(!machine.isIdle, "somebody is connected")
    expectEqual(machine.closed(Sample.endpoint(4), at: Sample.moment(0)), Self.leaving, "the last connection")
    expect(!machine.isIdle, "they may come back")
    _ = machine.timeReached(at: Sample.moment(15_000))
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
        [.refuseSession(Sample.call(3), .unavailable), Self.failed(4), .wake(at: 1_010)], "\(answer)")
      expect(!machine.isIdle, "subscriptions are parked")
      _ = machine.unsubscribed(Sample.subscriber(1))
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
      expectEqual(
        machine.answered(.success([.flag(areTogether)]), at: Sample.moment(0)), [Self.seen(visible, to: 3), Self.watching], "subscribed")
    }
    var machine = Self.ready(nil)
    expectEqual(machine.subscribed(Sample.subscriber(1), to: .user, viewer: guest, at: Sample.moment(0)), question, "of nobody")
    expectEqual(machine.answered(.success([.flag(false)]), at: Sample.moment(0)), [Self.seen(nil, to: 1), Self.watching], "nothing to see")
    _ = machine.opening(Sample.request(Self.ann, .guest), as: Sample.call(2), at: Sample.moment(0))
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(0)), Self.leaving, "a user who comes later is hidden too")
  }

  @Test func `a guest who left while the store was asked is forgotten`() {
    let guest = Sample.caller(Sample.guest, .guest)
    var machine = Self.ready(Self.record)
    _ = machine.subscribed(Sample.subscriber(1), to: .user, viewer: guest, at: Sample.moment(0))
    _ = machine.called(.get, by: guest, as: Sample.call(2), at: Sample.moment(0))
    _ = machine.unsubscribed(Sample.subscriber(1))
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
        machine.answered(.success([.flag(true)]), at: Sample.moment(1_006)),
        [Self.online(Self.record, false, to: 1), Self.watching], "seen at last")
    }
  }

  static let watching = EngineAction.announceGuest(Sample.guest, isWatching: true)
  /// Lets it be the machine's turn, and the store answer.
  static func look(_ machine: inout UserMachine, _ flags: Bool..., at tick: UInt64 = 0) -> [EngineAction] {
    expectEqual(machine.beginLook().count, flags.count, "asks about as many guests, at \(tick)")
    return machine.looked(.success(flags.map { .flag($0) }), at: Sample.moment(tick))
  }

  /// A machine that guests with these numbers watch, each with a topic of its own; all loops noted it.
  static func watched(by guests: [UserID], isVisible: Bool = true) -> UserMachine {
    var machine = ready(record)
    for (number, guest) in zip((1 as UInt64)..., guests) {
      _ = machine.subscribed(Sample.subscriber(number), to: .user, viewer: Sample.caller(guest, .guest), at: Sample.moment(0))
      _ = machine.answered(.success([.flag(isVisible)]), at: Sample.moment(0))
      _ = machine.sightChanged(of: guest)
      _ = look(&machine, isVisible)
    }
    return machine
  }

  @Test func `a guest who watches sees the user while they share a conversation`() {
    var machine = Self.watched(by: [Sample.guest])
    let app = Sample.caller(Sample.bob, .app)
    expectEqual(machine.sightChanged(of: Sample.bob), [], "nobody such watches")
    expectEqual(machine.sightChanged(of: Sample.guest), [.wantLook], "they may have parted")
    expectEqual(machine.called(.set(Sample.renaming("Anne")), by: app, as: Sample.call(5), at: Sample.moment(1)).count, 1, "goes on")
    _ = machine.opening(Sample.request(Self.ann), as: Sample.call(6), at: Sample.moment(1))
    expectEqual(Self.look(&machine, false), [Self.seen(nil, to: 1)], "nothing any more")
    let actions = machine.committed(nil, at: Sample.moment(3)) + machine.closed(Sample.endpoint(6), at: Sample.moment(0))
    expect(!actions.contains { if case .publish = $0 { true } else { false } }, "neither the new name nor that they are connected")
    expectEqual(machine.sightChanged(of: nil), [.wantLook], "the user went or came")
    var renamed = Self.record
    renamed.name = "Anne"
    renamed.revision = 2
    renamed.changedAt = 50_001
    expectEqual(Self.look(&machine, true), [Self.seen(renamed, to: 1)], "as they are now")
    expectEqual(machine.sightChanged(of: nil), [.wantLook], "asked again")
    expectEqual(Self.look(&machine, true), [], "nothing changed")
    expectEqual(machine.unsubscribed(Sample.subscriber(1)), [.announceGuest(Sample.guest, isWatching: false)], "watches no more")
    expectEqual(machine.sightChanged(of: nil), [], "no guest watches")
    _ = machine.timeReached(at: Sample.moment(15_000))
    expect(machine.isIdle, "nobody does")
  }

  @Test func `a guest in doubt is shown nothing until the store answered what was asked last`() {
    let guest = Sample.caller(Sample.guest, .guest)
    var machine = Self.ready(Self.record)
    _ = machine.subscribed(Sample.subscriber(1), to: .online, viewer: guest, at: Sample.moment(0))
    expectEqual(
      machine.answered(.success([.flag(true)]), at: Sample.moment(0)), [Self.online(Self.record, false, to: 1), Self.watching], "new")
    let admitted: [EngineAction] = [Self.present, .admit(Sample.call(5), Self.record)]
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(5), at: Sample.moment(0)), admitted, "the loops do not know yet")
    expectEqual(machine.sightChanged(of: Sample.guest), [.wantLook], "they do")
    expectEqual(machine.sightChanged(of: Sample.guest), [], "somebody moved: it is asked once")
    expectEqual(machine.beginLook(), [Sample.guest], "its turn")
    expectEqual(machine.beginLook(), [], "once")
    expectEqual(machine.sightChanged(of: Sample.guest) + machine.sightChanged(of: nil), [], "somebody moved meanwhile, and again")
    expectEqual(machine.looked(.success([.flag(true)]), at: Sample.moment(2)), [.wantLook], "that answer is too old")
    expectEqual(Self.look(&machine, true), [Self.online(Self.record, true, to: 1)], "this one counts")
    let question = EngineAction.read([.areTogether(Sample.guest, Self.ann)])
    expectEqual(machine.subscribed(Sample.subscriber(2), to: .user, viewer: guest, at: Sample.moment(4)), [question], "a second topic")
    expectEqual(machine.answered(.success([.flag(true)]), at: Sample.moment(4)), [Self.seen(Self.record, to: 2)], "is no news to the loops")
    expectEqual(machine.unsubscribed(Sample.subscriber(2)), [], "the first is left")
    _ = machine.subscribed(Sample.subscriber(3), to: .user, viewer: guest, at: Sample.moment(4))
    _ = machine.sightChanged(of: guest.user)
    expectEqual(Self.look(&machine, false), [.publish(.online(Self.ann), .online(nil), to: [Sample.subscriber(1)])], "they part meanwhile")
    expectEqual(machine.answered(.success([.flag(true)]), at: Sample.moment(4)), [Self.seen(nil, to: 3)], "that answer is too old too")
    expectEqual(machine.unsubscribed(Sample.subscriber(3)), [], "the first is left again")
    _ = machine.sightChanged(of: Sample.guest)
    expectEqual(machine.unsubscribed(Sample.subscriber(1)), [.announceGuest(Sample.guest, isWatching: false)], "while it waits its turn")
    expectEqual(machine.beginLook(), [], "nobody wants to know")
    expectEqual(machine.looked(.success([.flag(true)]), at: Sample.moment(6)), [], "nor was asked")
  }

  @Test func `nothing else waits while it is asked which guests see the user`() {
    var machine = Self.watched(by: [Sample.guest])
    _ = machine.sightChanged(of: nil)
    expectEqual(machine.beginLook(), [Sample.guest], "at the store")
    let admitted: [EngineAction] = [Self.present, .admit(Sample.call(5), Self.record)]
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(5), at: Sample.moment(0)), admitted, "a session opens")
    expectEqual(
      machine.called(.get, by: Sample.caller(Sample.bob), as: Sample.call(6), at: Sample.moment(0)), [Self.shown(Self.record, 6)], "a get")
    expectEqual(machine.looked(.success([.flag(true)]), at: Sample.moment(0)), [], "the guest sees what they saw")
  }

  @Test func `many guests are asked about some at a time`() {
    let guests = (0..<40).map { UserID(stored: "guest-\($0 + 10)") }
    var machine = Self.watched(by: guests)
    expectEqual(machine.sightChanged(of: nil), [.wantLook], "the user moved")
    for (count, isLast) in [(UserMachine.maxLooked, false), (UserMachine.maxLooked, false), (40 - 2 * UserMachine.maxLooked, true)] {
      let asked = machine.beginLook()
      expectEqual(asked.count, count, "about some")
      let flags = asked.map { _ in StoreAnswer.flag(true) }
      expectEqual(machine.looked(.success(flags), at: Sample.moment(0)), isLast ? [] : [.wantLook], "and then about others")
    }
  }

  @Test func `guests are asked about together, and again when the store fails`() {
    let other = UserID(stored: "guest-2")
    for answer: Result<[StoreAnswer], StoreError> in [
      .failure(Sample.broken), .success([.flag(false)]), .success([.flag(true), .users([])]),
    ] {
      var machine = Self.watched(by: [other, Sample.guest])
      expectEqual(machine.sightChanged(of: nil), [.wantLook], "both")
      expectEqual(machine.beginLook(), [Sample.guest, other], "in one question")
      expectEqual(machine.looked(answer, at: Sample.moment(5)), [.wake(at: 1_005)], "the store fails")
      expectEqual(machine.sightChanged(of: nil), [], "not before it is time")
      expect(!machine.isIdle, "it is tried again")
      expectEqual(machine.timeReached(at: Sample.moment(1_005)), [.wantLook], "tried again")
      expectEqual(Self.look(&machine, true, false, at: 1_005), [Self.seen(nil, to: 1)], "each their own")
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
      machine.closed(Sample.endpoint(1), at: Sample.moment(0)), Self.leaving, "nothing yet")
    expectEqual(
      machine.timeReached(at: Sample.moment(15_000)),
      [.announcePresence(Self.ann, isOnline: false), Self.online(Self.record, false, to: 9)], "the old name")
  }
}
