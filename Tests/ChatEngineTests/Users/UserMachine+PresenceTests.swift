import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

// Grace, activity and whereabouts.
extension UserMachineTests {
  @Test func `a blip is no news, and who stays away is offline after the grace`() {
    var machine = Self.ready(Self.record)
    _ = machine.subscribed(Sample.subscriber(9), to: .online, viewer: Sample.caller(Sample.bob), at: Sample.moment(0))
    let open = { (machine: inout UserMachine, number: UInt64) in
      machine.opening(Sample.request(Self.ann), as: Sample.call(number), at: Sample.moment(0))
    }
    expectEqual(open(&machine, 1), [Self.present, .admit(Sample.call(1), Self.record), Self.online(Self.record, true, to: 9)], "online")
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(1_000)), [.announceOffline(Self.ann), .wake(at: 16_000)], "gone")
    expectEqual(open(&machine, 2), [.admit(Sample.call(2), Self.record)], "back within the grace")
    expectEqual(machine.timeReached(at: Sample.moment(16_000)), [], "no news")
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(20_000)), [.announceOffline(Self.ann), .wake(at: 35_000)], "again")
    let offline: [EngineAction] = [.announcePresence(Self.ann, isOnline: false), Self.online(Self.record, false, to: 9)]
    expectEqual(machine.timeReached(at: Sample.moment(35_000)), offline, "offline")
    expectEqual(machine.timeReached(at: Sample.moment(36_000)), [], "once")
    var settings = ChatSettings()
    settings.presenceGraceMs = 0
    machine = Self.ready(Self.record, settings: settings)
    _ = machine.subscribed(Sample.subscriber(9), to: .online, viewer: Sample.caller(Sample.bob), at: Sample.moment(0))
    _ = open(&machine, 1)
    expectEqual(machine.closed(Sample.endpoint(1), at: Sample.moment(0)), [.announceOffline(Self.ann)] + offline, "without a grace")
  }

  @Test func `activity is written at most once in an interval, and shown by the user's own topics and calls`() {
    var settings = ChatSettings()
    settings.activityIntervalMs = 60_000
    var machine = Self.ready(Self.record, settings: settings)
    let bob = Sample.caller(Sample.bob)
    _ = machine.subscribed(Sample.subscriber(9), to: .user, viewer: bob, at: Sample.moment(0))
    let active = { (tick: Int64) in
      var record = Self.record
      record.lastActiveAt = 50_000 + tick
      return record
    }
    let seen = { (record: UserRecord) in
      EngineAction.publish(.user(Self.ann), .user(record.snapshot(showsActivity: true)), to: [Sample.subscriber(9)])
    }
    expectEqual(
      machine.opening(Sample.request(Self.ann), as: Sample.call(1), at: Sample.moment(10)),
      [Self.present, .admit(Sample.call(1), Self.record), Self.put(active(10))], "the session does not wait for it")
    expectEqual(
      machine.committed(nil, at: Sample.moment(11)), [seen(active(10)), .wake(at: 60_010)], "shown, and announced to nobody else")
    expectEqual(
      machine.called(.get, by: bob, as: Sample.call(3), at: Sample.moment(12)),
      [.reply(Sample.call(3), .success(.user(active(10).snapshot(showsActivity: true))))], "in a reply")
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(2), at: Sample.moment(50)).count, 1, "not again so soon")
    expectEqual(machine.timeReached(at: Sample.moment(60_010)), [Self.put(active(60_010))], "an interval later")
    expectEqual(machine.committed(Sample.broken, at: Sample.moment(60_011)), [.wake(at: 120_011)], "the store fails: the next time")
    expectEqual(machine.timeReached(at: Sample.moment(120_011)), [Self.put(active(120_011))], "tried again")
    _ = machine.committed(nil, at: Sample.moment(120_012))
    _ = machine.closed(Sample.endpoint(1), at: Sample.moment(120_013))
    expectEqual(machine.closed(Sample.endpoint(2), at: Sample.moment(120_014)).last, .wake(at: 135_014), "nothing is due but the grace")

    machine = Self.ready(nil, settings: settings)
    var made = UserRecord(id: Self.ann, name: "Ann", createdAt: 50_000)
    made.lastActiveAt = 50_000
    expectEqual(machine.opening(Sample.request(Self.ann), as: Sample.call(1), at: Sample.moment(0)), [Self.put(made)], "with the record")
    expectEqual(
      machine.committed(nil, at: Sample.moment(1)),
      [Self.present, .admit(Sample.call(1), made), .announceUser(made), .wake(at: 60_000)], "once")
    machine = Self.ready(nil, id: Sample.guest, settings: settings)
    expectEqual(
      machine.opening(Sample.request(Sample.guest, .guest), as: Sample.call(1), at: Sample.moment(0)).count, 2, "a guest leaves no row")
  }

  @Test func `where somebody is online is asked of the store, for those who share it or a backend`() {
    let (bob, app) = (Sample.caller(Sample.bob), Sample.caller(Sample.bob, .app))
    var machine = Self.connected(1)
    for (caller, other) in [(bob, Sample.bob), (app, Self.ann), (Sample.caller(Sample.guest, .guest), Sample.guest)] {
      expectEqual(
        machine.called(.whereabouts, by: caller, as: Sample.call(2), at: Sample.moment(0)),
        [.replyWithConversations(Sample.call(2), .sharedConversations(Self.ann, other, limit: UserMachine.maxWhereabouts))], "\(caller)")
    }
    machine = Self.ready(Self.record)
    expectEqual(
      machine.called(.whereabouts, by: app, as: Sample.call(2), at: Sample.moment(0)),
      [.reply(Sample.call(2), .success(.conversations([])))], "offline, nowhere")
  }
}
