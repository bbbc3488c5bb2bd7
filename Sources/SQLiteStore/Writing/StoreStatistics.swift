package import ChatEngine
package import Observability

/// What the writer has done since it was opened, for metrics.
package struct StoreStatistics: Equatable, Sendable {
  /// Transactions that were tried, one for each group of sets.
  package internal(set) var groups = 0
  /// Transactions that were undone whole: no room, a fault of the disk.
  package internal(set) var failedGroups = 0
  /// Sets that were kept.
  package internal(set) var committedSets = 0
  /// Sets that were answered with an error.
  package internal(set) var failedSets = 0
  /// Changes of the sets that were kept.
  package internal(set) var changes = 0
  /// How long transactions took from their begin to the answer of the disk, in microseconds.
  package internal(set) var commitMicroseconds = Histogram(.duration)
  /// How many sets a transaction held.
  package internal(set) var setsPerGroup = Histogram(.count)
  /// The duration of the last transaction, in microseconds.
  package internal(set) var lastCommitMicroseconds: Int64 = 0
  /// How often the write-ahead log was copied into the database file.
  package internal(set) var checkpoints = 0
  /// How often that, or the removal of old rows, failed; nothing is lost by it.
  package internal(set) var failedUpkeep = 0

  /// Bytes of the database file.
  package internal(set) var databaseBytes: Int64 = 0
  /// Bytes of the write-ahead log.
  package internal(set) var logBytes: Int64 = 0
  /// Bytes of memory that SQLite holds.
  package internal(set) var memoryBytes: Int64 = 0

  /// What the metrics page shows of it, beside what the files take.
  package func metrics(with files: FileFigures) -> StoreMetrics {
    var metrics = metrics
    metrics.files = Int64(files.contents)
    metrics.fileBytes = files.bytes
    return metrics
  }

  /// What the metrics page shows of it.
  package var metrics: StoreMetrics {
    var metrics = StoreMetrics()
    metrics.batchSize = setsPerGroup
    metrics.duration = commitMicroseconds
    metrics.failedCommits = UInt64(clamping: failedGroups)
    metrics.changes = UInt64(clamping: changes)
    metrics.checkpoints = UInt64(clamping: checkpoints)
    metrics.failedUpkeep = UInt64(clamping: failedUpkeep)
    metrics.databaseBytes = databaseBytes
    metrics.logBytes = logBytes
    metrics.memoryBytes = memoryBytes
    return metrics
  }
}
