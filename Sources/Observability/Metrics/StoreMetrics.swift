/// What the metrics page shows of the store.
package struct StoreMetrics: Sendable, Equatable {
  /// How many change sets a transaction held.
  package var batchSize = Histogram(.count)
  /// Microseconds of a transaction, the disk's confirmation included.
  package var duration = Histogram(.duration)
  /// Transactions that were undone whole: no room, a fault of the disk.
  package var failedCommits: UInt64 = 0

  /// Nothing counted yet.
  package init() {}
}
