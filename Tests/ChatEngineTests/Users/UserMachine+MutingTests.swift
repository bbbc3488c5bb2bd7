import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

// Whom the user does not see, where that is kept.
extension UserMachineTests {
  @Test func `a kept mute list is told to all sessions of the user and to nobody else`() {
    let (own, guest) = (Sample.caller(Self.ann), Sample.guest)
    var machine = Self.connected(1, 2)
    _ = machine.subscribed(Sample.subscriber(9), to: .user, viewer: Sample.caller(Sample.bob), at: Sample.moment(0))
    let muting = { (users: [UserID]) in
      var record = Self.record
      record.muted = users
      return record
    }
    let done = { (number: UInt64) in EngineAction.reply(Sample.call(number), .success(.done)) }
    let call = { (machine: inout UserMachine, operation: UserOperation, number: UInt64) in
      machine.called(operation, by: own, as: Sample.call(number), at: Sample.moment(0))
    }
    let sessions = [Sample.endpoint(1), Sample.endpoint(2)]
    expectEqual(call(&machine, .muted, 1), [.reply(Sample.call(1), .success(.muted([])))], "nobody")
    expectEqual(call(&machine, .mute(guest), 2), [Self.put(muting([guest]))], "written")
    expectEqual(machine.committed(nil, at: Sample.moment(0)), [.tellMuted(sessions, [guest]), done(2)], "told")
    expectEqual(call(&machine, .mute(guest), 3), [done(3)], "again")
    expectEqual(call(&machine, .mute(Sample.bob), 4), [Self.put(muting([Sample.bob, guest]))], "in the order of the ids")
    expectEqual(machine.committed(Sample.broken, at: Sample.moment(0)), [Self.failed(4)], "not kept")
    expectEqual(call(&machine, .muted, 5), [.reply(Sample.call(5), .success(.muted([guest])))], "as before")
    expectEqual(call(&machine, .mute(Self.ann), 6), [.reply(Sample.call(6), .failure(.invalid("user", "must be another user")))], "oneself")
    expectEqual(call(&machine, .unmute(guest), 7), [Self.put(Self.record)], "taken out")
    _ = machine.closed(Sample.endpoint(1), at: Sample.moment(0))
    _ = machine.closed(Sample.endpoint(2), at: Sample.moment(0))
    expectEqual(machine.committed(nil, at: Sample.moment(0)), [done(7)], "nobody is there to be told")
    machine = Self.ready(nil)
    let nobody = ChatError(.notFound, "There is no such user", field: "actAs")
    expectEqual(call(&machine, .mute(guest), 8), [.reply(Sample.call(8), .failure(nobody))], "a backend for nobody")
  }
}
