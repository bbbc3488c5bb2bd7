/// The page behind `/metrics`.
package enum MetricsPage {
  /// The names behind the indexes of `LoopMetrics`, both closed lists.
  package struct Names: Sendable, Equatable {
    /// The methods by their index.
    package let methods: [String]
    /// The kinds of topics by their index.
    package let topicKinds: [String]

    /// Names by index.
    package init(methods: [String], topicKinds: [String]) {
      self.methods = methods
      self.topicKinds = topicKinds
    }
  }

  /// Renders the merged numbers of all loops and those of the store.
  ///
  /// Methods and causes that never occurred are shown as 0 or, where a histogram would repeat a dozen zeros, left out.
  package static func render(loops: [LoopMetrics], store: StoreMetrics, names: Names) -> String {
    var all = LoopMetrics(methods: names.methods.count, topicKinds: names.topicKinds.count)
    for loop in loops { all.merge(loop) }
    var page = PrometheusText()
    addConnections(all.connections, to: &page)
    addTraffic(all.traffic, to: &page)
    addOperations(all.operations, names.methods, to: &page)
    addDelivery(all.delivery, to: &page)
    addSubscriptions(all.subscriptions, names.topicKinds, to: &page)
    page.histogram("commit_batch_sets", "Change sets committed together.", [([], store.batchSize)])
    page.histogram("commit_seconds", "Time of a commit.", [([], store.duration)])
    page.counter("commits_failed", "Commits that were undone whole.", [([], store.failedCommits)])
    page.histogram("loop_lag_seconds", "How late timers of the event loops run.", [([], all.lag)])
    return page.text
  }

  private static func addConnections(_ counts: ConnectionCounts, to page: inout PrometheusText) {
    page.gauge("connections", "Connections that are open.", [([], Int64(clamping: counts.current))])
    page.counter("connections_opened", "Connections accepted.", [([], counts.opened)])
    page.counter(
      "connections_closed", "Connections ended, by cause.",
      CloseCause.allCases.map { ([(name: "cause", value: $0.label)], counts.closed($0)) })
    page.counter(
      "handshakes_refused", "Upgrades answered with an error, by status.",
      counts.refusals.map { ([(name: "status", value: $0.status)], $0.count) })
  }

  private static func addTraffic(_ counts: TrafficCounts, to page: inout PrometheusText) {
    let into: [PrometheusText.Label] = [("direction", "in")]
    let out: [PrometheusText.Label] = [("direction", "out")]
    page.counter("messages", "Whole WebSocket messages.", [(into, counts.messagesIn), (out, counts.messagesOut)])
    page.counter("bytes", "Bytes on sockets.", [(into, counts.bytesIn), (out, counts.bytesOut)])
  }

  private static func addOperations(_ counts: OperationCounts, _ names: [String], to page: inout PrometheusText) {
    let methods = Array(zip(names, counts.methods))
    page.counter(
      "operations", "Requests answered, by method and outcome.",
      methods.flatMap { name, method in
        OperationOutcome.allCases.map { ([("method", name), ("outcome", $0.label)], method.count($0)) }
      })
    page.histogram(
      "operation_seconds", "Time from a request to its reply, by method.",
      methods.filter { $0.1.duration.total > 0 }.map { ([("method", $0.0)], $0.1.duration) })
  }

  private static func addDelivery(_ counts: DeliveryCounts, to page: inout PrometheusText) {
    page.counter("deliveries", "Frames queued for subscriptions.", [([], counts.deliveries)])
    page.counter("snapshots_skipped_equal", "Snapshots equal to the last one.", [([], counts.snapshotsSkippedEqual)])
    page.counter("collapses", "Queued frames replaced by a newer one.", [([], counts.collapses)])
    page.counter("slow_consumer_closes", "Connections cut off for reading too slowly.", [([], counts.slowConsumerCloses)])
  }

  private static func addSubscriptions(_ counts: SubscriptionCounts, _ names: [String], to page: inout PrometheusText) {
    page.gauge(
      "subscriptions", "Live subscriptions, by kind of topic and state.",
      names.enumerated().flatMap { index, name in
        SubscriptionCounts.State.allCases.map { ([("kind", name), ("state", $0.label)], counts.count(kind: index, $0)) }
      })
  }
}
