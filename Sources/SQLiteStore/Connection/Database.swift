import ChatEngine
import CSQLite

/// One connection to the database file; not thread-safe, owned by one queue.
final class Database {
  /// What a connection may do.
  enum Access {
    case reading
    case writing
  }

  /// The folder of the file, which stays locked as long as a connection is open.
  let folder: DataFolder
  /// Reads and writes the columns that hold lists, maps and content.
  let fields: StoredFields
  private let handle: OpaquePointer
  /// Written by SQLite's hook after each commit on this connection.
  private let walPages: UnsafeMutablePointer<Int32>

  /// Opens the folder's file, which must exist.
  init(in folder: DataFolder, _ access: Access) throws(StoreError) {
    let fields = try StoredFields()
    let flags = access == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    var opened: OpaquePointer?
    // Without SQLite's own mutexes: one queue uses the connection.
    let code = sqlite3_open_v2(folder.database, &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
    guard code == SQLITE_OK, let opened else {
      let failure = StoreError.sqlite(code, handle: opened, folder: folder.path)
      sqlite3_close_v2(opened)
      throw failure
    }
    handle = opened
    self.folder = folder
    self.fields = fields
    walPages = .allocate(capacity: 1)
    walPages.initialize(to: 0)
    sqlite3_busy_timeout(opened, Self.busyMilliseconds)
    // The hook takes the place of SQLite's own checkpoints, which would make the committing group wait.
    if access == .writing { sqlite3_wal_hook(opened, noteWALPages, walPages) }
  }

  deinit {
    // With statements left it closes with the last of them.
    sqlite3_close_v2(handle)
    walPages.deallocate()
  }

  /// How long a connection waits for a lock of another one: a checkpoint, a backup, a shell.
  private static let busyMilliseconds: Int32 = 5_000
  /// How long a checkpoint waits for readers.
  private static let checkpointMilliseconds: Int32 = 100

  // MARK: Statements

  /// Runs SQL without parameters whose rows nobody needs.
  func execute(_ sql: String) throws(StoreError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// The first column of the first row; nil where there is no row.
  func text(of sql: String) throws(StoreError) -> String? {
    let statement = try prepare(sql, flags: 0)
    return try statement.step() ? statement.text() : nil
  }

  /// The first column of the first row as a number; 0 where there is no row.
  func integer(of sql: String) throws(StoreError) -> Int64 {
    let statement = try prepare(sql, flags: 0)
    return try statement.step() ? statement.integer() : 0
  }

  /// Prepares a statement that is kept as long as the connection.
  func prepare(_ sql: String) throws(StoreError) -> Statement { try prepare(sql, flags: UInt32(SQLITE_PREPARE_PERSISTENT)) }

  private func prepare(_ sql: String, flags: UInt32) throws(StoreError) -> Statement {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, flags, &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw failure(code) }
    return Statement(prepared, folder: folder.path)
  }

  private func failure(_ code: Int32) -> StoreError { .sqlite(code, handle: handle, folder: folder.path) }

  // MARK: What the last statement did

  /// How many rows the last INSERT, UPDATE or DELETE changed.
  var changedRows: Int64 { sqlite3_changes64(handle) }

  /// The key of the last row that was inserted.
  var insertedKey: Int64 { sqlite3_last_insert_rowid(handle) }

  // MARK: Transactions

  /// Begins a transaction that writes.
  func begin() throws(StoreError) { try execute("BEGIN IMMEDIATE") }

  /// Ends the transaction; with a writing one the changes are on the disk when it returns.
  func commit() throws(StoreError) { try execute("COMMIT") }

  /// Undoes the open transaction; does nothing where a failure has ended it already.
  func rollBack() {
    guard sqlite3_get_autocommit(handle) == 0 else { return }
    // It ends the transaction even where it reports a failure.
    sqlite3_exec(handle, "ROLLBACK", nil, nil, nil)
  }

  // MARK: The write-ahead log

  /// Pages that the log held after the last commit on this connection.
  var pagesInLog: Int32 { walPages.pointee }

  /// Copies the log into the database file.
  func checkpoint(_ mode: CheckpointPlan.Mode) throws(StoreError) {
    // Commits wait meanwhile.
    sqlite3_busy_timeout(handle, Self.checkpointMilliseconds)
    defer { sqlite3_busy_timeout(handle, Self.busyMilliseconds) }
    let code = sqlite3_wal_checkpoint_v2(handle, nil, Self.code(mode), nil, nil)
    walPages.pointee = 0
    guard code == SQLITE_OK else { throw failure(code) }
  }

  private static func code(_ mode: CheckpointPlan.Mode) -> Int32 {
    switch mode {
    case .passive: SQLITE_CHECKPOINT_PASSIVE
    case .restart: SQLITE_CHECKPOINT_RESTART
    case .truncate: SQLITE_CHECKPOINT_TRUNCATE
    }
  }
}

private nonisolated func noteWALPages(
  context: UnsafeMutableRawPointer?, database: OpaquePointer?, name: UnsafePointer<CChar>?, pages: Int32
) -> Int32 {
  context?.assumingMemoryBound(to: Int32.self).pointee = pages
  return SQLITE_OK
}
