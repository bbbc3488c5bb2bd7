import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct DeviceRulesTests {
  private static func device(_ number: Int) -> PushDevice { PushDevice(token: "\(number)", gateway: .fcm) }

  @Test func `a user has so many devices, and the one that registered longest ago goes first`() {
    let ann = UserSamples.ann
    let most = PushDevice.maxPerUser
    let full = (1...most).map(Self.device)
    let new = Self.device(0)
    let gone = { (number: Int) in Change.removeDevice(ann, token: "\(number)") }
    let cases: [(name: String, UserOperation, [PushDevice], [Change])] = [
      ("the first", .registerDevice(new), [], [.putDevice(ann, new)]),
      ("the last that fits", .registerDevice(new), Array(full.dropLast()), [.putDevice(ann, new)]),
      ("one too many", .registerDevice(new), full, [gone(1), .putDevice(ann, new)]),
      ("where there are more than may be", .registerDevice(new), full + [Self.device(99)], [gone(1), gone(2), .putDevice(ann, new)]),
      ("one that is there", .registerDevice(full[3]), full, [.putDevice(ann, full[3])]),
      ("taking one back", .unregisterDevice("4"), full, [gone(4)]), ("taking back what is not there", .unregisterDevice("x"), full, []),
      ("reading", .get, full, []),
    ]
    for (name, operation, devices, expected) in cases {
      expectEqual(DeviceRules.changes(operation, of: ann, devices), expected, name)
    }
  }

  @Test func `a device is kept when the store has it`() {
    let (ann, call, now) = (UserSamples.ann, UserSamples.call(1), UserSamples.moment(0))
    let device = Self.device(1)
    let (own, backend) = (UserSamples.caller(ann), UserSamples.caller(ann, .app))
    let ask = [EngineAction.read([.devices(ann)])]
    let put = [EngineAction.commit(ChangeSet([.putDevice(ann, device)]))]
    let reply = { (result: Result<ChatReply, ChatError>) in [EngineAction.reply(call, result)] }
    var machine = UserMachineTests.ready(UserMachineTests.record)
    for error in [nil, UserSamples.broken] {
      expectEqual(machine.called(.registerDevice(device), by: own, as: call, at: now), ask, "the user's others are asked for")
      expectEqual(machine.answered(.success([.devices([])]), at: now), put, "written")
      expect(!machine.isIdle, "something is written")
      expectEqual(machine.called(.get, by: own, as: call, at: now), [], "who comes meanwhile waits")
      expectEqual(machine.answered(.success([]), at: now), [], "nothing was asked")
      let kept = reply(error.map { .failure(.unavailable($0)) } ?? .success(.done))
      expectEqual(machine.committed(error, at: now), kept + [UserMachineTests.shown(UserMachineTests.record, 1)], "\(error == nil)")
    }
    expectEqual(machine.called(.unregisterDevice("x"), by: own, as: call, at: now), ask, "taking one back")
    expectEqual(machine.answered(.success([.devices([device])]), at: now), reply(.success(.done)), "that is not there")
    expectEqual(machine.called(.unregisterDevice("x"), by: own, as: call, at: now), ask, "once more")
    expectEqual(machine.answered(.failure(UserSamples.broken), at: now), reply(.failure(.unavailable)), "the store is away")
    var nobody = UserMachineTests.ready(nil)
    expectEqual(nobody.called(.registerDevice(device), by: backend, as: call, at: now), ask, "a backend, for nobody")
    let refusal = ChatError(.notFound, "There is no such user", field: "actAs")
    expectEqual(nobody.answered(.success([.devices([])]), at: now), reply(.failure(refusal)), "there is no such user")
    expect(nobody.isIdle, "nothing was written")
  }
}
