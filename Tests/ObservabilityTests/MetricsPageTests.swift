import TestSupport
import Testing

@testable import Observability

@Test func `the page shows the merged numbers of all loops and of the store`() {
  let names = MetricsPage.Names(methods: ["ping", "conversation.send"], topicKinds: ["messages", "typing"])
  var first = LoopMetrics(methods: 2, topicKinds: 2)
  first.connections.open()
  first.connections.open()
  first.connections.close(.slowReader)
  first.connections.refuse(status: 403)
  first.traffic = TrafficCounts(messagesIn: 1, messagesOut: 2, bytesIn: 3, bytesOut: 4)
  first.operations.record(method: 1, .error, microseconds: 10)
  first.delivery = DeliveryCounts(deliveries: 5, snapshotsSkippedEqual: 6, collapses: 7, slowConsumerCloses: 8)
  first.subscriptions.move(kind: 1, from: nil, to: .active)
  first.lag.observe(10)
  var store = StoreMetrics()
  store.batchSize.observe(2)
  store.duration.observe(100)
  store.failedCommits = 3

  let page = MetricsPage.render(loops: [first, first], store: store, names: names)
  let lines = Set(page.split(separator: "\n").map(String.init))
  for line in [
    "parley_connections 2", "parley_connections_opened_total 4", "parley_connections_closed_total{cause=\"slow_reader\"} 2",
    "parley_connections_closed_total{cause=\"drained\"} 0", "parley_handshakes_refused_total{status=\"403\"} 2",
    "parley_messages_total{direction=\"in\"} 2", "parley_messages_total{direction=\"out\"} 4", "parley_bytes_total{direction=\"in\"} 6",
    "parley_bytes_total{direction=\"out\"} 8", "parley_operations_total{method=\"conversation.send\",outcome=\"error\"} 2",
    "parley_operations_total{method=\"ping\",outcome=\"ok\"} 0",
    "parley_operation_seconds_bucket{method=\"conversation.send\",le=\"0.0001\"} 2", "parley_deliveries_total 10",
    "parley_snapshots_skipped_equal_total 12", "parley_collapses_total 14", "parley_slow_consumer_closes_total 16",
    "parley_subscriptions{kind=\"typing\",state=\"active\"} 2", "parley_subscriptions{kind=\"messages\",state=\"pending\"} 0",
    "parley_commit_batch_sets_sum 2", "parley_commits_failed_total 3", "parley_commit_seconds_sum 0.0001",
    "parley_loop_lag_seconds_count 2",
  ] {
    expect(lines.contains(line), line)
  }
  expect(!page.contains("parley_operation_seconds_bucket{method=\"ping\""), "a method that never ran has no histogram")

  let families = page.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
  expectEqual(Set(families).count, families.count, "each family once")
}
