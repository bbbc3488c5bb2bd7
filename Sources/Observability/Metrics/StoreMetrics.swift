import Locks

/// What the store's writer counts.
package struct StoreMetrics: Sendable, Equatable {
  /// Operations committed together.
  package private(set) var batchSize = Histogram(.count)
  /// Microseconds of a commit, the disk's confirmation included.
  package private(set) var duration = Histogram(.duration)

  /// Nothing counted yet.
  package init() {}

  /// A commit succeeded.
  package mutating func recordCommit(operations: UInt64, microseconds: UInt64) {
    batchSize.observe(operations)
    duration.observe(microseconds)
  }
}

/// The store's numbers, written by its queue and read by a scrape on another.
package final class StoreMeter: Sendable {
  private let metrics = Lock(StoreMetrics())

  /// Nothing counted yet.
  package init() {}

  /// A commit succeeded.
  package func recordCommit(operations: UInt64, microseconds: UInt64) {
    metrics.withLock { $0.recordCommit(operations: operations, microseconds: microseconds) }
  }

  /// A copy of the numbers as they are now.
  package var snapshot: StoreMetrics { metrics.withLock { $0 } }
}
