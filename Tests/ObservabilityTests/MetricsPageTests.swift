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
  first.connections.refuse(.addressLimit)
  first.traffic = TrafficCounts(messagesIn: 1, messagesOut: 2, bytesIn: 3, bytesOut: 4)
  first.compression.received.add(message: 300, wire: 100)
  first.compression.sent.add(message: 5_000, wire: 1_000)
  first.compression.sent.add(message: 500, wire: -1)
  first.operations.record(method: 1, .refused, microseconds: 10)
  first.operations.record(method: nil, .refused, microseconds: 10)
  first.delivery = DeliveryCounts(deliveries: 5, snapshotsSkippedEqual: 6, collapses: 7, slowConsumerCloses: 8)
  first.limits = LimitCounts(refusedByConnection: 5, refusedByUser: 6, droppedNotifications: 7)
  first.subscriptions.move(kind: 1, from: nil, to: .active)
  first.lag.observe(10)
  first.sessions.open(.guest)
  first.sessions.refuse(.signature)
  first.queues.add(bytes: 9)
  var store = StoreMetrics()
  store.batchSize.observe(2)
  store.duration.observe(100)
  store.failedCommits = 3
  store.changes = 4
  store.checkpoints = 5
  store.failedUpkeep = 6
  (store.databaseBytes, store.logBytes, store.memoryBytes) = (7, 8, 9)
  var figures = MetricsPage.Figures()
  figures.loops = [first, first]
  figures.store = store
  figures.log.write(.warn)
  figures.log.dropped = 2
  figures.process.residentBytes = 1
  figures.process.virtualBytes = 2
  figures.process.openDescriptors = 3
  figures.process.maxDescriptors = 4
  figures.process.processorMicroseconds = 1_500_000
  figures.process.startedAt = 1_796_040_000_250
  figures.build = BuildFigures(version: "1", commit: "abc", swift: "6")
  figures.isReady = true

  let page = MetricsPage.render(figures, names: names)
  let lines = Set(page.split(separator: "\n").map(String.init))
  for line in [
    "parley_connections 2", "parley_connections_opened_total 4", "parley_connections_closed_total{cause=\"slow_reader\"} 2",
    "parley_connections_closed_total{cause=\"drained\"} 0", "parley_handshakes_refused_total{status=\"403\"} 2",
    "parley_connections_refused_total{reason=\"address_limit\"} 2", "parley_connections_refused_total{reason=\"evicted\"} 0",
    "parley_messages_total{direction=\"in\"} 2", "parley_messages_total{direction=\"out\"} 4", "parley_bytes_total{direction=\"in\"} 6",
    "parley_bytes_total{direction=\"out\"} 8", "parley_operations_total{method=\"conversation.send\",outcome=\"refused\"} 2",
    "parley_operations_total{method=\"other\",outcome=\"refused\"} 2",
    "parley_compressed_messages_total{direction=\"in\"} 2", "parley_compressed_messages_total{direction=\"out\"} 4",
    "parley_compressed_bytes_total{direction=\"in\",form=\"wire\"} 200",
    "parley_compressed_bytes_total{direction=\"out\",form=\"message\"} 11000",
    "parley_compressed_bytes_total{direction=\"out\",form=\"wire\"} 2000",
    "parley_operations_total{method=\"ping\",outcome=\"ok\"} 0",
    "parley_operation_seconds_bucket{method=\"conversation.send\",le=\"0.0001\"} 2", "parley_deliveries_total 10",
    "parley_snapshots_skipped_equal_total 12", "parley_collapses_total 14", "parley_slow_consumer_closes_total 16",
    "parley_operations_limited_total{budget=\"connection\"} 10", "parley_operations_limited_total{budget=\"user\"} 12",
    "parley_notifications_dropped_total 14",
    "parley_subscriptions{kind=\"typing\",state=\"active\"} 2", "parley_subscriptions{kind=\"messages\",state=\"pending\"} 0",
    "parley_commit_batch_sets_sum 2", "parley_commits_failed_total 3", "parley_commit_seconds_sum 0.0001",
    "parley_loop_lag_seconds_count 2", "parley_committed_changes_total 4", "parley_checkpoints_total 5",
    "parley_store_upkeep_failures_total 6", "parley_store_bytes{file=\"database\"} 7", "parley_store_bytes{file=\"log\"} 8",
    "parley_store_memory_bytes 9",
    "parley_sessions{kind=\"guest\"} 2", "parley_sessions_opened_total{kind=\"guest\"} 2", "parley_sessions{kind=\"app\"} 0",
    "parley_tokens_refused_total{reason=\"signature\"} 2", "parley_blocked_connections 2", "parley_queue_bytes 18",
    "parley_largest_queue_bytes 9", "parley_log_lines_total{level=\"warn\"} 1", "parley_log_lines_dropped_total 2", "parley_ready 1",
    "parley_loops 2", "parley_build_info{version=\"1\",commit=\"abc\",swift=\"6\"} 1", "process_cpu_seconds_total 1.5",
    "process_resident_memory_bytes 1", "process_virtual_memory_bytes 2", "process_open_fds 3", "process_max_fds 4",
    "process_start_time_seconds 1796040000.25",
  ] {
    expect(lines.contains(line), line)
  }
  expect(!page.contains("parley_operation_seconds_bucket{method=\"ping\""), "a method that never ran has no histogram")

  let families = page.split(separator: "\n").filter { $0.hasPrefix("# TYPE") }
  expectEqual(Set(families).count, families.count, "each family once")
}

/// The series of a page: every line without its value.
private func series(_ page: String) -> Set<Substring> {
  Set(page.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.prefix(upTo: $0.lastIndex(of: " ") ?? $0.endIndex) })
}

@Test func `no event makes a series that was not there`() {
  let names = MetricsPage.Names(methods: ["ping"], topicKinds: ["messages"])
  var loop = LoopMetrics(methods: 1, topicKinds: 1)
  // Histograms of methods appear with their first observation: there are two, of the method and of every other.
  for method in [0, nil] { loop.operations.record(method: method, .ok, microseconds: 1) }
  var figures = MetricsPage.Figures()
  figures.loops = [loop]
  figures.build = BuildFigures(version: "1", commit: "abc", swift: "6")
  let before = series(MetricsPage.render(figures, names: names))

  for index in 0..<5_000 {
    loop.connections.open()
    loop.connections.refuse(status: index)
    loop.operations.record(method: index - 100, OperationOutcome(rawValue: index % 6) ?? .ok, microseconds: UInt64(index) * 1_000)
    loop.subscriptions.move(kind: index, from: nil, to: .active)
    loop.queues.add(bytes: index)
    loop.lag.observe(UInt64(index))
    figures.store.duration.observe(UInt64(index))
  }
  for cause in CloseCause.allCases { loop.connections.close(cause) }
  for kind in SessionCounts.Kind.allCases { loop.sessions.open(kind) }
  for reason in SessionCounts.Refusal.allCases { loop.sessions.refuse(reason) }
  for level in LogLevel.allCases { figures.log.write(level) }
  figures.loops = [loop, loop, loop]
  let after = series(MetricsPage.render(figures, names: names))
  expectEqual(after.symmetricDifference(before).sorted(), [], "series that came or went")
  expect(before.count > 100, "there are series: \(before.count)")
}

@Test func `names follow the conventions of Prometheus, and every family says what it is`() {
  var figures = MetricsPage.Figures()
  figures.build = BuildFigures(version: "1", commit: "abc", swift: "6")
  let lines = MetricsPage.render(figures, names: MetricsPage.Names(methods: ["ping"], topicKinds: ["messages"])).split(separator: "\n")
  var (family, type) = ("", "")
  for (index, line) in lines.enumerated() {
    let words = line.split(separator: " ", maxSplits: 3).map(String.init)
    if line.hasPrefix("# HELP") {
      expect(words.count == 4 && words[3].hasSuffix("."), "a sentence: \(line)")
      expect(lines[index + 1].hasPrefix("# TYPE \(words[2]) "), "its type follows: \(line)")
    } else if line.hasPrefix("# TYPE") {
      (family, type) = (words[2], words[3])
      expect(family.hasPrefix("parley_") || family.hasPrefix("process_"), family)
      expectEqual(family.hasSuffix("_total"), type == "counter", "\(family) is a \(type)")
      for unit in ["_ms", "_milliseconds", "_kb", "_count", "_sum", "_bucket"] { expect(!family.hasSuffix(unit), family) }
    } else {
      let name = String(line.prefix { $0 != "{" && $0 != " " })
      let endings = type == "histogram" ? ["_bucket", "_sum", "_count"] : [""]
      expect(endings.contains { name == family + $0 }, "\(name) is of \(family)")
    }
  }
}
