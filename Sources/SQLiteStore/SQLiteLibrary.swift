import CSQLite

/// The library behind the store.
package enum SQLiteLibrary {
  /// The version that is loaded.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
