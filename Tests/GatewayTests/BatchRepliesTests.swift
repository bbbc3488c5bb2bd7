import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct BatchRepliesTests {
  @Test func `replies are gathered until the last, and snapshots wait for them`() {
    let batch = BatchReplies(calls: 3)
    batch.took(RequestID(1))
    expect(batch.isOpen, "at first")
    expect(!batch.add(Array("1".utf8)), "the first")
    expect(!batch.add(nil), "a notification")
    let snapshots = ["a", "b", "a", "c"].enumerated().map { SharedSnapshot(topic: $1, isNull: false, text: [UInt8($0)]) }
    for snapshot in snapshots { batch.hold(snapshot) }
    batch.drop("c")
    batch.drop("d")
    expect(batch.isOpen, "one is left")
    expect(batch.add(Array("2".utf8)), "the last")
    expect(!batch.isOpen, "closed")
    expectEqual(batch.encoded.map { String(decoding: $0, as: UTF8.self) }, "[1,2]", "the array")
    expectEqual(batch.takeHeld().map { $0.frame.plain.last }, [2, 1], "the newest of each topic")
    expectEqual(batch.takeHeld().count, 0, "once")
    expectEqual(batch.ids, [RequestID(1)], "its ids")
    let silent = BatchReplies(calls: 1)
    expect(silent.add(nil), "only a notification")
    expectEqual(silent.encoded, nil, "nothing to answer")
  }
}
