import ChatEngine
import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct BatchRepliesTests {
  private static func subscription(_ serial: UInt64) -> HeldSubscription {
    let user = UserID(stored: "ann")
    return HeldSubscription(
      request: TopicRequest(topic: .user(user)), subscriber: SubscriberID(endpoint: Endpoint(loop: 0, connection: 1), serial: serial),
      caller: Caller(user: user, kind: .user, permissions: Permissions()), start: nil)
  }

  @Test func `replies are gathered until the last, and subscriptions wait for them`() {
    let batch = BatchReplies(calls: 3)
    batch.took(RequestID(1))
    expect(!batch.add(Array("11".utf8)), "the first")
    expect(!batch.add(nil), "a notification")
    expectEqual(batch.byteCount, 3, "with its comma")
    for serial in 1...3 as ClosedRange<UInt64> { batch.hold(Self.subscription(serial)) }
    expect(batch.drop(Self.subscription(2).subscriber), "one that is ended")
    expect(!batch.drop(Self.subscription(2).subscriber), "once")
    expect(batch.add(Array("2".utf8)), "the last")
    expectEqual(batch.encoded.map { String(decoding: $0, as: UTF8.self) }, "[11,2]", "the array")
    expectEqual(batch.takeSubscriptions().map(\.subscriber.serial), [1, 3], "in their order")
    expectEqual(batch.takeSubscriptions().count, 0, "once")
    expectEqual(batch.ids, [RequestID(1)], "its ids")
    let silent = BatchReplies(calls: 1)
    expect(silent.add(nil), "only a notification")
    expectEqual(silent.encoded, nil, "nothing to answer")
  }
}
