/// The page behind `/metrics`; `docs/operations.md` explains each name on it.
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

  /// All that the page tells.
  package struct Figures: Sendable, Equatable {
    /// What each loop counted.
    package var loops: [LoopMetrics] = []
    /// What the store did.
    package var store = StoreMetrics()
    /// What the log wrote.
    package var log = LogCounts()
    /// What the system says of the process.
    package var process = ProcessFigures()
    /// Which program runs; nil leaves it out.
    package var build: BuildFigures?
    /// What is told of the certificate; nil where no TLS is spoken.
    package var certificate: CertificateFigures?
    /// Whether `/readyz` answers 200.
    package var isReady = false

    /// Nothing counted yet.
    package init() {}
  }

  /// Renders the page.
  ///
  /// Methods, causes and kinds that never occurred are shown as 0, so that the first one of them is an increase; only histograms of
  /// methods, which would repeat a dozen zeros each, are left out until there is something in them.
  package static func render(_ figures: Figures, names: Names) -> String {
    var all = LoopMetrics(methods: names.methods.count, topicKinds: names.topicKinds.count)
    for loop in figures.loops { all.merge(loop) }
    var page = PrometheusText()
    addServer(figures, to: &page)
    addConnections(all.connections, to: &page)
    addTraffic(all.traffic, to: &page)
    addCompression(all.compression, to: &page)
    addTLS(all.tls, figures.certificate, to: &page)
    addSessions(all.sessions, to: &page)
    addOperations(all.operations, names.methods + ["other"], to: &page)
    addDelivery(all.delivery, all.queues, to: &page)
    addLimits(all.limits, to: &page)
    addFiles(all.files, to: &page)
    addSubscriptions(all.subscriptions, names.topicKinds, to: &page)
    addStore(figures.store, to: &page)
    page.histogram("loop_lag_seconds", "How late timers of the event loops run, up to 16 ms of which are by design.", [([], all.lag)])
    addLog(figures.log, to: &page)
    addProcess(figures.process, to: &page)
    return page.text
  }

  private static func addConnections(_ counts: ConnectionCounts, to page: inout PrometheusText) {
    page.gauge("connections", "Connections that are open.", [([], Int64(clamping: counts.current))])
    page.counter("connections_opened", "Connections accepted.", [([], counts.opened)])
    page.counter(
      "connections_closed", "Connections ended, by cause.",
      CloseCause.allCases.map { ([(name: "cause", value: $0.label)], counts.closed($0)) })
    page.counter(
      "handshakes_refused", "Requests answered with an error, by status.",
      counts.refusals.map { ([(name: "status", value: $0.status)], $0.count) })
    page.counter(
      "connections_refused", "Connections turned away by a limit or for what their proxy said, by reason.",
      ConnectionRefusal.allCases.map { ([(name: "reason", value: $0.label)], counts.refused($0)) })
  }

  private static func addTraffic(_ counts: TrafficCounts, to page: inout PrometheusText) {
    let into: [PrometheusText.Label] = [("direction", "in")]
    let out: [PrometheusText.Label] = [("direction", "out")]
    page.counter("messages", "Whole WebSocket messages.", [(into, counts.messagesIn), (out, counts.messagesOut)])
    page.counter("bytes", "Bytes on sockets.", [(into, counts.bytesIn), (out, counts.bytesOut)])
  }

  private static func addSessions(_ counts: SessionCounts, to page: inout PrometheusText) {
    page.gauge(
      "sessions", "Sessions that are open, by kind of user.",
      SessionCounts.Kind.allCases.map { ([("kind", $0.label)], Int64(clamping: counts.current($0))) })
    page.counter(
      "sessions_opened", "Sessions opened, by kind of user.",
      SessionCounts.Kind.allCases.map { ([("kind", $0.label)], counts.opened($0)) })
    page.counter(
      "tokens_refused", "Tokens that opened or refreshed no session, by reason.",
      SessionCounts.Refusal.allCases.map { ([("reason", $0.label)], counts.refused($0)) })
  }

  private static func addCompression(_ counts: CompressionCounts, to page: inout PrometheusText) {
    let directions = [("in", counts.received), ("out", counts.sent)]
    page.counter(
      "compressed_messages", "Whole WebSocket messages that were compressed.",
      directions.map { ([(name: "direction", value: $0.0)], $0.1.messages) })
    page.counter(
      "compressed_bytes", "Bytes of compressed messages, on the wire and as messages.",
      directions.flatMap { name, counts in
        [("wire", counts.wireBytes), ("message", counts.messageBytes)].map { form, bytes in
          ([(name: "direction", value: name), (name: "form", value: form)], bytes)
        }
      })
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

  private static func addDelivery(_ counts: DeliveryCounts, _ queues: QueueDepth, to page: inout PrometheusText) {
    page.counter("deliveries", "Frames queued for subscriptions.", [([], counts.deliveries)])
    page.counter("snapshots_skipped_equal", "Snapshots equal to the last one.", [([], counts.snapshotsSkippedEqual)])
    page.counter("collapses", "Queued frames replaced by a newer one.", [([], counts.collapses)])
    page.counter("slow_consumer_closes", "Connections cut off for reading too slowly.", [([], counts.slowConsumerCloses)])
    page.gauge("blocked_connections", "Connections whose sockets take no more for now.", [([], Int64(clamping: queues.connections))])
    page.gauge("queue_bytes", "Bytes that wait to be sent on blocked connections.", [([], Int64(clamping: queues.bytes))])
    page.gauge("largest_queue_bytes", "Bytes that wait on the blocked connection with the most.", [([], Int64(clamping: queues.largest))])
  }

  private static func addLimits(_ counts: LimitCounts, to page: inout PrometheusText) {
    page.counter(
      "operations_limited", "Calls refused by the limit of operations, by whose budget was used up.",
      [([("budget", "connection")], counts.refusedByConnection), ([("budget", "user")], counts.refusedByUser)])
    page.counter("notifications_dropped", "Notifications over the limit of operations.", [([], counts.droppedNotifications)])
  }

  private static func addSubscriptions(_ counts: SubscriptionCounts, _ names: [String], to page: inout PrometheusText) {
    page.gauge(
      "subscriptions", "Live subscriptions, by kind of topic and state.",
      names.enumerated().flatMap { index, name in
        SubscriptionCounts.State.allCases.map { ([("kind", name), ("state", $0.label)], counts.count(kind: index, $0)) }
      })
  }
}
