import TestSupport
import Testing

@testable import Observability

@Test func `loops merge number by number`() {
  var one = LoopMetrics(methods: 2, topicKinds: 2)
  one.connections.open()
  one.connections.close(.drained)
  one.connections.refuse(status: 403)
  one.compression.sent.add(message: 9, wire: 3)
  one.traffic = TrafficCounts(messagesIn: 1, messagesOut: 2, bytesIn: 3, bytesOut: 4)
  one.operations.record(method: 1, .ok, microseconds: 10)
  one.delivery = DeliveryCounts(deliveries: 1, snapshotsSkippedEqual: 2, collapses: 3, slowConsumerCloses: 4)
  one.limits = LimitCounts(refusedByConnection: 1, refusedByUser: 2, droppedNotifications: 3)
  one.subscriptions.move(kind: 0, from: nil, to: .active)
  one.lag.observe(7)
  one.sessions.open(.bot)
  one.queues.add(bytes: 3)

  var both = one
  both.merge(one)
  expectEqual(both.connections.opened, 2, "opened")
  expectEqual(both.connections.closed(.drained), 2, "closed")
  expectEqual(both.connections.refusals.first { $0.status == "403" }?.count, 2, "refused")
  expectEqual(
    [both.compression.sent.messages, both.compression.sent.messageBytes, both.compression.sent.wireBytes], [2, 18, 6], "compression")
  expectEqual(both.compression.received, CompressionCounts.Direction(), "of the other direction")
  expectEqual(both.traffic, TrafficCounts(messagesIn: 2, messagesOut: 4, bytesIn: 6, bytesOut: 8), "traffic")
  expectEqual(both.operations.methods[1].count(.ok), 2, "operations")
  expectEqual(both.delivery, DeliveryCounts(deliveries: 2, snapshotsSkippedEqual: 4, collapses: 6, slowConsumerCloses: 8), "delivery")
  expectEqual(both.limits, LimitCounts(refusedByConnection: 2, refusedByUser: 4, droppedNotifications: 6), "limits")
  expectEqual(both.subscriptions.count(kind: 0, .active), 2, "subscriptions")
  expectEqual(both.lag.total, 2, "lag")
  expectEqual(both.sessions.opened(.bot), 2, "sessions")
  expectEqual(both.queues.bytes, 6, "queues")

  var empty = LoopMetrics(methods: 2, topicKinds: 2)
  empty.merge(one)
  expectEqual(empty, one, "nothing changes a copy")
}
