/// What one event loop counts.
///
/// Each loop owns one and changes it without a lock; a scrape takes a copy of each loop's and merges them. Counters wrap instead of trapping.
package struct LoopMetrics: Sendable, Equatable {
  /// Connections opened, closed and refused.
  package var connections = ConnectionCounts()
  /// Messages and bytes.
  package var traffic = TrafficCounts()
  /// Sessions and refused tokens.
  package var sessions = SessionCounts()
  /// Messages that travel compressed.
  package var compression = CompressionCounts()
  /// Requests by method.
  package var operations: OperationCounts
  /// What became of events on their way to subscribers.
  package var delivery = DeliveryCounts()
  /// What waits on connections that do not take it, at the time of the last beat.
  package var queues = QueueDepth()
  /// Calls over a limit.
  package var limits = LimitCounts()
  /// Files that came and went.
  package var files = FileCounts()
  /// Live subscriptions.
  package var subscriptions: SubscriptionCounts
  /// TLS handshakes.
  package var tls = TLSCounts()
  /// Microseconds between the time a timer was due and the time it ran.
  package var lag = Histogram(.duration)

  /// Nothing counted yet.
  ///
  /// - Parameters:
  ///   - methods: How many methods there are; their indexes start at 0.
  ///   - topicKinds: How many kinds of topics there are; their indexes start at 0.
  package init(methods: Int, topicKinds: Int) {
    operations = OperationCounts(methods: methods)
    subscriptions = SubscriptionCounts(topicKinds: topicKinds)
  }

  /// Adds what another loop counted.
  package mutating func merge(_ other: LoopMetrics) {
    connections.merge(other.connections)
    traffic.merge(other.traffic)
    sessions.merge(other.sessions)
    compression.merge(other.compression)
    operations.merge(other.operations)
    delivery.merge(other.delivery)
    queues.merge(other.queues)
    limits.merge(other.limits)
    files.merge(other.files)
    subscriptions.merge(other.subscriptions)
    tls.merge(other.tls)
    lag.merge(other.lag)
  }
}

/// Messages and bytes on the wire.
package struct TrafficCounts: Sendable, Equatable {
  /// Whole messages received.
  package var messagesIn: UInt64 = 0
  /// Whole messages sent.
  package var messagesOut: UInt64 = 0
  /// Bytes read from sockets.
  package var bytesIn: UInt64 = 0
  /// Bytes written to sockets.
  package var bytesOut: UInt64 = 0

  mutating func merge(_ other: TrafficCounts) {
    messagesIn &+= other.messagesIn
    messagesOut &+= other.messagesOut
    bytesIn &+= other.bytesIn
    bytesOut &+= other.bytesOut
  }
}

/// What became of events on their way to subscribers.
package struct DeliveryCounts: Sendable, Equatable {
  /// Frames handed to a connection's queue for a subscription.
  package var deliveries: UInt64 = 0
  /// Snapshots not sent because they equal the last one.
  package var snapshotsSkippedEqual: UInt64 = 0
  /// Queued frames that a newer one of their topic replaced.
  package var collapses: UInt64 = 0
  /// Connections cut off because they read too slowly.
  package var slowConsumerCloses: UInt64 = 0

  mutating func merge(_ other: DeliveryCounts) {
    deliveries &+= other.deliveries
    snapshotsSkippedEqual &+= other.snapshotsSkippedEqual
    collapses &+= other.collapses
    slowConsumerCloses &+= other.slowConsumerCloses
  }
}

/// Calls over a limit of operations.
package struct LimitCounts: Sendable, Equatable {
  /// Calls refused because the connection's own budget was used up.
  package var refusedByConnection: UInt64 = 0
  /// Calls refused because the user's budget, which all their connections share, was used up.
  package var refusedByUser: UInt64 = 0
  /// Notifications among them, which were dropped.
  package var droppedNotifications: UInt64 = 0

  mutating func merge(_ other: LimitCounts) {
    refusedByConnection &+= other.refusedByConnection
    refusedByUser &+= other.refusedByUser
    droppedNotifications &+= other.droppedNotifications
  }
}
