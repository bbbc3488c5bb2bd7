/// What the metrics page shows of the store.
package struct StoreMetrics: Sendable, Equatable {
  /// How many change sets a transaction held.
  package var batchSize = Histogram(.count)
  /// Microseconds of a transaction, the disk's confirmation included.
  package var duration = Histogram(.duration)
  /// Transactions that were undone whole: no room, a fault of the disk.
  package var failedCommits: UInt64 = 0
  /// Changes that were kept: a message, a participant, a read mark.
  package var changes: UInt64 = 0
  /// How often the write-ahead log was copied into the database file.
  package var checkpoints: UInt64 = 0
  /// How often that, or the removal of old rows, failed.
  package var failedUpkeep: UInt64 = 0
  /// Bytes of the database file.
  package var databaseBytes: Int64 = 0
  /// Bytes of the write-ahead log.
  package var logBytes: Int64 = 0
  /// Contents of files that are kept.
  package var files: Int64 = 0
  /// Their bytes.
  package var fileBytes: Int64 = 0
  /// Bytes of memory that the store holds, mostly pages of its files.
  package var memoryBytes: Int64 = 0

  /// Nothing counted yet.
  package init() {}
}
