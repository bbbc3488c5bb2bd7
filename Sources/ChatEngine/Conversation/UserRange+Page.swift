import ChatModel

extension UserRange {
  /// The records that the piece of a list has, and whether nothing lies behind it.
  func page<Record>(of records: some Collection<Record>, user: (Record) -> UserID) -> (records: ArraySlice<Record>, reachedEnd: Bool) {
    let behind = records.filter { record in after.map { $0 < user(record) } ?? true }
    let page = behind.sorted { user($0) < user($1) }.prefix(limit)
    return (page, page.count == behind.count)
  }
}

extension SnapshotBuilder {
  /// The first snapshots that fit into a page, and whether those are all; one is shown, however long.
  static func fitting<Snapshot>(_ snapshots: [Snapshot], size: (Snapshot) -> Int) -> (shown: [Snapshot], areAll: Bool) {
    var bytes = 0
    var count = 0
    for snapshot in snapshots {
      bytes += size(snapshot)
      if bytes > ChatSettings.maxPageBytes, count > 0 { break }
      count += 1
    }
    return (Array(snapshots.prefix(count)), count == snapshots.count)
  }
}
