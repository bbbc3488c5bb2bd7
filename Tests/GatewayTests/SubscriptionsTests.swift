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
  private static let viewer = UserID(stored: "cy")

  private static func subscriber(_ serial: UInt64) -> SubscriberID {
    SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial)
  }

  @Test func `a subscription becomes active with its own snapshots only`() {
    var table = Subscriptions()
    expectEqual(table.snapshotCame(Self.ann.name, for: Self.subscriber(1)), false, "not subscribed")
    table.add(Self.ann, as: Self.subscriber(1), viewer: Self.viewer)
    table.add(Self.bob, as: Self.subscriber(2), viewer: Self.viewer)
    expectEqual(table.count, 2, "two")
    expectEqual(table[Self.ann.name]?.viewer, Self.viewer, "who subscribed is kept")
    expectEqual(table[Self.ann.name]?.state, .pending, "at first")
    expectEqual(table.snapshotCame(Self.ann.name, for: Self.subscriber(2)), false, "another's")
    expectEqual(table.snapshotCame(Self.ann.name, for: Self.subscriber(1)), true, "its own")
    expectEqual(table[Self.ann.name]?.state, .active, "then")
    expectEqual(table.remove(Self.ann.name)?.topic, Self.ann.topic, "removed")
    expect(table.remove(Self.ann.name) == nil && table[Self.ann.name] == nil, "once")
    table.add(Self.ann, as: Self.subscriber(3), viewer: Self.viewer)
    expectEqual(table.snapshotCame(Self.ann.name, for: Self.subscriber(1)), false, "of the one before")
    expectEqual(table.removeAll().count, 2, "all")
    expectEqual(table.count, 0, "none is left")
    expectEqual(table.removeAll().count, 0, "twice")
  }

  @Test func `filters are kept as long as their lists`() {
    var (table, conditions) = (Subscriptions(), ConversationConditions())
    conditions.isUnread = true
    let filter = ConversationFilter(anyOf: [conditions])
    let lists = [("a", filter), ("b", filter), ("c", nil)].map { TopicRequest(topic: .conversations(label: $0.0), filter: $0.1) }
    for list in lists { table.add(list, as: Self.subscriber(1), viewer: Self.viewer) }
    expectEqual(lists.map { table.filters[$0.name] }, [filter, filter, nil], "of those that have one")
    _ = lists.map { table.remove($0.name) }
    expect(table.filters.isEmpty, "none is left")
    table.add(lists[0], as: Self.subscriber(2), viewer: Self.viewer)
    _ = table.removeAll()
    expect(table.filters.isEmpty, "all ended")
  }

  private static func snapshot(_ byte: UInt8?, of topic: TopicRequest = ann) -> SharedSnapshot {
    SharedSnapshot(topic: topic.name, isNull: byte == nil, text: [byte ?? 0])
  }

  @Test func `a newer snapshot has the key of the one before, unless it became null or is there again`() {
    var table = Subscriptions()
    expectEqual(table.show(Self.snapshot(1)) { _ in false }, .nothing, "not subscribed")
    table.add(Self.ann, as: Self.subscriber(1), viewer: Self.viewer)
    table.add(Self.bob, as: Self.subscriber(2), viewer: Self.viewer)
    var keys: [UInt32] = []
    for (number, byte) in ([1, 2, 3, nil, 1, 4, nil] as [UInt8?]).enumerated() {
      guard case .queue(let key, replaces: false) = table.show(Self.snapshot(byte), isWaiting: { _ in false }) else {
        return expect(false, "\(number) is queued")
      }
      keys.append(key)
    }
    expectEqual(keys[1], keys[2], "the same key collapses")
    expectEqual(Set(keys).count, 6, "transitions are never collapsed: \(keys)")
    guard case .queue(let other, replaces: false) = table.show(Self.snapshot(1, of: Self.bob), isWaiting: { _ in false }) else {
      return expect(false, "another topic's is queued")
    }
    expect(!keys.contains(other), "topics have keys of their own")
  }

  @Test func `a snapshot that equals the last one sent is not sent`() {
    // What is shown, what of it the socket took before, and what goes out in the end.
    let cases: [(String, [(UInt8?, isTaken: Bool)], sent: [UInt8?])] = [
      ("a new one each", [(1, true), (2, true), (3, true)], [1, 2, 3]),
      ("equal ones", [(1, true), (1, true), (2, true), (2, true)], [1, 2]),
      ("equal to the first", [(1, false), (1, false)], [1]), ("collapsed", [(1, true), (2, false), (3, false), (4, true)], [1, 4]),
      ("back to what was sent", [(1, true), (2, false), (1, false)], [1]),
      ("and on", [(1, true), (2, false), (1, false), (2, true)], [1, 2]),
      ("and on to another", [(1, true), (2, false), (1, false), (3, true)], [1, 3]),
      ("back to what waits", [(1, true), (2, false), (2, false)], [1, 2]),
      ("taken in between", [(1, true), (2, true), (1, false)], [1, 2, 1]),
      ("twice back", [(1, true), (2, false), (1, false), (1, false)], [1]),
      ("a transition", [(1, true), (2, false), (nil, false), (2, false)], [1, 2, nil, 2]),
      ("after a transition", [(1, false), (nil, false), (1, false), (2, false), (1, false)], [1, nil, 1]),
      ("null is always told", [(nil, false), (1, false), (nil, false), (nil, false)], [nil, 1, nil]),
    ]
    for (name, shown, sent) in cases {
      var table = Subscriptions()
      table.add(Self.ann, as: Self.subscriber(1), viewer: Self.viewer)
      var queue: [(key: UInt32, byte: UInt8?)] = []
      var out: [UInt8?] = []
      for (byte, isTaken) in shown {
        let waiting = { (key: UInt32) in queue.firstIndex { $0.key == key } }
        switch table.show(Self.snapshot(byte), isWaiting: { waiting($0) != nil }) {
        case .queue(let key, let replaces):
          expectEqual(replaces, waiting(key) != nil, "\(name): says whether it replaces")
          if let index = waiting(key) { queue[index].byte = byte } else { queue.append((key, byte)) }
        case .takeBack(let key): if let index = waiting(key) { queue.remove(at: index) } else { expect(false, "\(name): nothing waits") }
        case .skip: break
        case .nothing: expect(false, "\(name): subscribed")
        }
        guard isTaken else { continue }
        out += queue.map(\.byte)
        queue = []
      }
      expectEqual(out + queue.map(\.byte), sent, name)
    }
  }
}
