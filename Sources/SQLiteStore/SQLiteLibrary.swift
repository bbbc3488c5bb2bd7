import CSQLite

/// The library behind the store.
package enum SQLiteLibrary {
  /// The version that is loaded.
  package static var version: String { String(cString: sqlite3_libversion()) }

  /// Bytes that it holds for all stores of the process: mostly the pages that its connections keep, up to 16 MiB for the one that writes and
  /// 8 MiB for each that reads.
  static var memoryBytes: Int64 { sqlite3_memory_used() }
}
