// What the page tells of the program around the loops.
extension MetricsPage {
  static func addServer(_ figures: Figures, to page: inout PrometheusText) {
    if let build = figures.build {
      let labels: [PrometheusText.Label] = [("version", build.version), ("commit", build.commit), ("swift", build.swift)]
      page.gauge("build_info", "Always 1; its labels say which program runs.", [(labels, 1)])
    }
    page.gauge("ready", "1 while /readyz answers 200.", [([], figures.isReady ? 1 : 0)])
    page.gauge("loops", "Event loops.", [([], Int64(clamping: figures.loops.count))])
  }

  static func addStore(_ store: StoreMetrics, to page: inout PrometheusText) {
    page.histogram("commit_batch_sets", "Change sets committed together.", [([], store.batchSize)])
    page.histogram("commit_seconds", "Time of a commit, the disk's confirmation included.", [([], store.duration)])
    page.counter("commits_failed", "Commits that were undone whole.", [([], store.failedCommits)])
    page.counter("committed_changes", "Changes that were kept, such as a message or a read mark.", [([], store.changes)])
    page.counter("checkpoints", "Copies of the write-ahead log into the database file.", [([], store.checkpoints)])
    page.counter(
      "store_upkeep_failures", "Such copies, or removals of old rows, that failed and are tried again.", [([], store.failedUpkeep)])
    page.gauge(
      "store_bytes", "Size of the store's files.",
      [([("file", "database")], store.databaseBytes), ([("file", "log")], store.logBytes)])
    page.gauge("files", "Files that are kept, each content once.", [([], store.files)])
    page.gauge("file_bytes", "Size of the files that are kept.", [([], store.fileBytes)])
    page.gauge("store_memory_bytes", "Memory that the store holds, mostly pages of its files.", [([], store.memoryBytes)])
  }

  static func addFiles(_ counts: FileCounts, to page: inout PrometheusText) {
    page.counter(
      "file_transfers", "Uploads and downloads of files, by outcome.",
      FileCounts.Direction.allCases.flatMap { direction in
        FileCounts.Outcome.allCases.map { outcome in
          ([(name: "direction", value: direction.label), (name: "outcome", value: outcome.label)], counts.count(direction, outcome))
        }
      })
    page.counter(
      "file_transfer_bytes", "Bytes of files that came and went.",
      FileCounts.Direction.allCases.map { ([(name: "direction", value: $0.label)], counts.bytes($0)) })
  }

  static func addLog(_ log: LogCounts, to page: inout PrometheusText) {
    page.counter("log_lines", "Lines of the log, by level.", LogLevel.allCases.map { ([("level", $0.word)], log.lines($0)) })
    page.counter("log_lines_dropped", "Lines that were not written because there were too many.", [([], log.dropped)])
  }

  /// Under the names that every Prometheus client library uses, so that common dashboards show them.
  static func addProcess(_ process: ProcessFigures, to page: inout PrometheusText) {
    let prefix = "process_"
    page.counter(
      "cpu_seconds", "Processor time, in user code and in the kernel.", [([], process.processorMicroseconds)], unitsPerShown: 1_000_000,
      prefix: prefix)
    page.gauge("resident_memory_bytes", "Memory in use.", [([], process.residentBytes)], prefix: prefix)
    page.gauge("virtual_memory_bytes", "Address space.", [([], process.virtualBytes)], prefix: prefix)
    page.gauge("open_fds", "Open descriptors.", [([], process.openDescriptors)], prefix: prefix)
    page.gauge("max_fds", "How many descriptors may be open.", [([], process.maxDescriptors)], prefix: prefix)
    page.gauge(
      "start_time_seconds", "When the process began, Unix time.", [([], process.startedAt)], unitsPerShown: 1_000, prefix: prefix)
  }
}
