import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

private let endpoint = Endpoint(loop: 0, connection: 0)

private func call(_ serial: UInt64) -> CallQueue.Entry {
  .call(
    CallID(endpoint: endpoint, serial: serial), .get, Caller(user: UserID(stored: "ann"), kind: .user, permissions: Permissions()))
}

private func subscription(_ serial: UInt64) -> CallQueue.Entry { .subscribe(SubscriberID(endpoint: endpoint, serial: serial), from: nil) }

private func growth(_ serial: UInt64) -> CallQueue.Entry { .loadMore(SubscriberID(endpoint: endpoint, serial: serial), count: 1) }

@Test func `entries leave in the order in which they came`() {
  var queue = CallQueue()
  expect(queue.isEmpty && queue.first() == nil && queue.popFirst() == nil, "empty")
  var next: UInt64 = 0
  var expected: UInt64 = 0
  for round in 0..<200 {
    for _ in 0..<(round % 7) {
      queue.append(call(next))
      next += 1
    }
    for _ in 0..<(round % 5) where expected < next {
      // Every tenth is taken out before its turn.
      if expected % 10 == 9 {
        expect(queue.remove(call(expected).name), "\(expected) is there")
      } else {
        expectEqual(queue.popFirst()?.name, call(expected).name, "in order")
      }
      expected += 1
    }
  }
  expectEqual(queue.prefix(1_000).map(\.name), (expected..<next).map { call($0).name }, "the rest")
  expectEqual(queue.prefix(2).map(\.name), (expected..<expected + 2).map { call($0).name }, "the first two")
  expect(!queue.remove(call(0).name), "gone long ago")

  queue = CallQueue()
  for entry in [call(1), subscription(2), growth(2), call(3)] { queue.append(entry) }
  queue.prepend([])
  queue.prepend([subscription(9)])
  expectEqual(queue.first()?.name, subscription(9).name, "before all others")
  expectEqual(queue.removeCalls().map(\.name), [call(1), growth(2), call(3)].map(\.name), "calls and growths")
  expectEqual(queue.prefix(9).map(\.name), [subscription(9), subscription(2)].map(\.name), "subscriptions stay")
}

@Test func `an entry of the same name takes the place of the first, and what is taken out leaves no room behind`() {
  var queue = CallQueue()
  for entry in [subscription(1), call(1), subscription(1)] { queue.append(entry) }
  expectEqual(queue.count, 2, "once")
  expectEqual([queue.popFirst()?.name, queue.popFirst()?.name], [subscription(1).name, call(1).name], "in its first place")
  expect(queue.isEmpty && queue.popFirst() == nil, "nothing more")
  queue.append(subscription(7))
  for serial: UInt64 in 0..<1_000 {
    queue.append(call(serial))
    expect(queue.remove(call(serial).name), "\(serial)")
  }
  expect(queue.capacity < 200, "\(queue.capacity) places for one entry")
  queue.append(call(2))
  expectEqual(queue.prefix(9).map(\.name), [subscription(7), call(2)].map(\.name), "the rest")
}
