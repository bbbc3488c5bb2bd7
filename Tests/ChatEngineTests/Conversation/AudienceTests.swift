import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private func id(_ serial: UInt64) -> SubscriberID { SubscriberID(endpoint: Endpoint(loop: 0, connection: 0), serial: serial) }

@Test func `subscribers who see the same are one group`() {
  var audience = Audience()
  let ann = UserID(stored: "ann")
  for serial in 1...4 as ClosedRange<UInt64> { audience.add(id(serial), kind: .messages, viewer: ann) }
  expectEqual(audience.active(of: ann), [], "nothing is shown yet")
  for serial in 1...3 as ClosedRange<UInt64> { audience.move(id(serial), to: .floor(5)) }
  audience.move(id(4), to: .floor(2))
  audience.move(id(99), to: .floor(2))
  let high = audience.number(of: .messages, .floor(5)) ?? -1
  let low = audience.number(of: .messages, .floor(2)) ?? -1
  expectEqual(audience.freshGroups(of: .messages), [high, low], "newcomers")
  expectEqual(audience.show(7, to: high), [id(1), id(2), id(3)], "all are shown the first")
  expectEqual(audience.show(7, to: high), [], "but not twice")
  expectEqual(audience.show(8, to: high), [id(1), id(2), id(3)], "all are shown the next")
  expectEqual(audience.show(8, to: low), [id(4)], "the other group")
  expectEqual(audience.show(1, to: 99), [], "no such group")
  expectEqual(audience.lowestFloor(of: .messages), 2, "the lowest floor")
  expectEqual([audience.lowestFloor(of: .participants), audience.lowestFloor(of: .typing)], [nil, nil], "none")
  expectEqual(audience.active(of: ann).count, 4, "all see something")

  audience.raiseFloors(of: .messages, to: 5)
  expectEqual(audience.groups(of: .messages), [high], "one group")
  expectEqual(audience.show(8, to: high), [], "who saw the same elsewhere is not shown it again")
  audience.raiseFloors(of: .messages, to: 6)
  expectEqual(audience.view(ofGroup: high), .floor(6), "the group's floor moves")
  expectEqual(audience.view(of: id(2)), .floor(6), "for all")
  expectEqual(audience.remove(id(1)), [], "one leaves")
  expectEqual(Set(audience.show(9, to: high)), [id(2), id(3), id(4)], "three are left")
  audience.move(id(3), to: .none)
  let none = audience.number(of: .messages, .none) ?? -1
  expectEqual(audience.show(0, to: none), [id(3)], "moved")
  audience.move(id(3), to: .floor(6))
  audience.move(id(3), to: .floor(6))
  audience.add(id(5), kind: .messages, viewer: UserID(stored: "bob"))
  audience.move(id(5), to: .floor(6))
  expectEqual(audience.groups(of: .messages), [high], "an empty group goes")
  audience.move(id(5), to: .none)
  audience.move(id(5), to: .floor(6))
  expectEqual(audience.show(9, to: high), [id(3), id(5)], "newcomers only")
  for serial in 2...5 as ClosedRange<UInt64> { _ = audience.remove(id(serial)) }
  expectEqual(audience.remove(id(5)), [], "gone already")
  expect(audience.isEmpty && audience.groups(of: .messages).isEmpty && audience.viewers.isEmpty, "nobody")
}

@Test func `calls wait for a window to grow`() {
  var audience = Audience()
  audience.add(id(1), kind: .messages, viewer: UserID(stored: "ann"))
  let calls = (1...3).map { CallID(endpoint: Endpoint(loop: 0, connection: 0), serial: $0) }
  expectEqual(calls.map { audience.grow(id(1), for: $0) }, [true, false, false], "the first begins")
  expectEqual(audience.cancelGrowing(calls[1]), id(1), "one gives up")
  expectEqual(audience.cancelGrowing(calls[1]), nil, "once")
  expectEqual(audience.grown(id(1)), [calls[0], calls[2]], "the others")
  expectEqual(audience.grown(id(1)), [], "once")
  _ = audience.grow(id(1), for: calls[0])
  expectEqual(audience.cancelGrowing(calls[0]), id(1), "alone")
  expect(audience.growing[id(1)] == nil, "nobody waits")
  _ = audience.grow(id(1), for: calls[0])
  expectEqual(audience.remove(id(1)), [calls[0]], "the subscription ends")
}
