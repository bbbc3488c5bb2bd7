import ChatEngine
import ChatModel
import GatewayProtocol
import Observability
import TestSupport
import Testing

@testable import Gateway

@Suite struct SubscriptionsTests {
  private static let ann = TopicRequest(topic: .user(UserID(stored: "ann")))
  private static let bob = TopicRequest(topic: .user(UserID(stored: "bob")))

  private static func subscriber(_ serial: UInt64) -> SubscriberID {
    SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial)
  }

  private static func word(_ arrival: Subscriptions.Arrival) -> String {
    switch arrival {
    case .hold: "hold"
    case .show: "show"
    case .ignore: "ignore"
    }
  }

  @Test func `a subscription becomes active with its own snapshots only`() {
    var table = Subscriptions()
    expectEqual(Self.word(table.snapshotCame(Self.ann.name, for: Self.subscriber(1))), "ignore", "not subscribed")
    table.add(Self.ann, as: Self.subscriber(1), in: nil)
    table.add(Self.bob, as: Self.subscriber(2), in: nil)
    expectEqual(table.count, 2, "two")
    expectEqual(table[Self.ann.name]?.state, .pending, "at first")
    expectEqual(Self.word(table.snapshotCame(Self.ann.name, for: Self.subscriber(2))), "ignore", "another's")
    expectEqual(Self.word(table.snapshotCame(Self.ann.name, for: Self.subscriber(1))), "show", "its own")
    expectEqual(table[Self.ann.name]?.state, .active, "then")
    expectEqual(table.remove(Self.ann.name)?.topic, Self.ann.topic, "removed")
    expect(table.remove(Self.ann.name) == nil && table[Self.ann.name] == nil, "once")
    table.add(Self.ann, as: Self.subscriber(3), in: nil)
    expectEqual(Self.word(table.snapshotCame(Self.ann.name, for: Self.subscriber(1))), "ignore", "of the one before")
    expectEqual(table.removeAll().count, 2, "all")
    expectEqual(table.count, 0, "none is left")
    expectEqual(table.removeAll().count, 0, "twice")
  }

  @Test func `a newer snapshot has the key of the one before, unless it became null or is there again`() {
    var table = Subscriptions()
    expectEqual(table.keyToShow(Self.ann.name, isNull: false), nil, "not subscribed")
    table.add(Self.ann, as: Self.subscriber(1), in: nil)
    table.add(Self.bob, as: Self.subscriber(2), in: nil)
    let keys = [false, false, false, true, true, false].map { table.keyToShow(Self.ann.name, isNull: $0) }
    expectEqual(keys[1], keys[2], "the same key collapses")
    expectEqual(table[Self.ann.name]?.key == keys[5], false, "what follows a transition does not replace it")
    expectEqual(Set([keys[0], keys[1], keys[3], keys[4], keys[5]]).count, 5, "transitions are never collapsed: \(keys)")
    let other = table.keyToShow(Self.bob.name, isNull: false)
    expect(!keys.contains(other), "topics have keys of their own")
  }

  @Test func `snapshots wait for the array of their batch`() {
    var table = Subscriptions()
    let batch = BatchReplies(calls: 1)
    table.add(Self.ann, as: Self.subscriber(1), in: batch)
    table.add(Self.bob, as: Self.subscriber(2), in: batch)
    expectEqual(Self.word(table.snapshotCame(Self.ann.name, for: Self.subscriber(1))), "hold", "before the array")
    expectEqual(table[Self.ann.name]?.state, .active, "active all the same")
    batch.hold(SharedSnapshot(topic: Self.ann.name, isNull: false, frame: [1]))
    _ = table.remove(Self.ann.name)
    expectEqual(batch.takeHeld().count, 0, "nothing is shown of an ended one")
    _ = batch.add(nil)
    expectEqual(Self.word(table.snapshotCame(Self.bob.name, for: Self.subscriber(2))), "show", "after the array")
    expect(table[Self.bob.name]?.batch == nil, "the batch is let go")
  }
}
