import ChatEngine
import CSQLite
import Glibc

extension StoreError {
  /// Translates a result code of SQLite; `folder` is the data folder, for the sentence.
  static func sqlite(_ code: Int32, handle: OpaquePointer?, folder: String) -> StoreError {
    let systemError = handle.map { sqlite3_system_errno($0) } ?? 0
    switch code & 0xff {
    case SQLITE_FULL: return .full(code, folder)
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
      return [ENOSPC, EDQUOT].contains(systemError) ? .full(code, folder) : .notWritable(code, folder)
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return StoreError(
        .locked, code: code, "Another program holds the database in \(folder). Close it (a shell of sqlite3, a backup tool) and try again.")
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: return .damaged(code, folder)
    case SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_TOOBIG, SQLITE_RANGE:
      return StoreError(.constraint, code: code, "The change breaks a rule of the database: \(message(code, handle)).")
    case SQLITE_IOERR: return inputOutput(code, systemError, folder)
    case SQLITE_NOMEM:
      return StoreError(.inputOutput, code: code, "The database got no memory. Give the process more, or let it do less at a time.")
    default:
      return StoreError(.inputOutput, code: code, "The database in \(folder) refused a statement: \(message(code, handle)).")
    }
  }

  private static func inputOutput(_ code: Int32, _ systemError: Int32, _ folder: String) -> StoreError {
    switch systemError {
    case ENOSPC, EDQUOT: return .full(code, folder)
    case EROFS, EACCES, EPERM: return .notWritable(code, folder)
    default:
      let reason = systemError == 0 ? "input/output error \(code)" : String(cString: strerror(systemError))
      return StoreError(
        .inputOutput, code: code, "Reading or writing in \(folder) failed (\(reason)). Look at the disk and at the system's log.")
    }
  }

  /// SQLite's own words: names of tables and columns, never values.
  private static func message(_ code: Int32, _ handle: OpaquePointer?) -> String {
    let text = handle.flatMap { sqlite3_errmsg($0) } ?? sqlite3_errstr(code)
    return text.map { String(cString: $0) } ?? "error \(code)"
  }

  /// No room is left on the disk.
  static func full(_ code: Int32, _ folder: String) -> StoreError {
    StoreError(
      .full, code: code,
      "The disk that holds \(folder) is full. Free some space: nothing that was acknowledged is lost, and writing goes on by itself.")
  }

  /// The folder or a file in it may not be written.
  static func notWritable(_ code: Int32, _ folder: String) -> StoreError {
    StoreError(
      .locked, code: code,
      "The data folder \(folder) cannot be written. Check its owner and permissions, and that its disk is not mounted read-only.")
  }

  /// The file is not what was written.
  static func damaged(_ code: Int32, _ folder: String) -> StoreError {
    StoreError(
      .corrupt, code: code,
      "The database in \(folder) is damaged. Stop the gateway, keep a copy of the folder, and restore a backup (or try sqlite3's .recover)."
    )
  }

  /// A row holds what this version never writes.
  static func badRow(_ what: String) -> StoreError {
    StoreError(
      .corrupt, code: SQLITE_CORRUPT, "The database holds a value that cannot be read (\(what)). Restore a backup, or report it as a fault."
    )
  }

  /// A change names a row that is not there.
  static func missing(_ what: String) -> StoreError {
    StoreError(.constraint, code: SQLITE_CONSTRAINT, "The change names a \(what) that does not exist.")
  }

  /// A change adds a row that is there already.
  static func duplicate(_ what: String) -> StoreError {
    StoreError(.constraint, code: SQLITE_CONSTRAINT, "The change adds a \(what) that exists already.")
  }

  /// The store was closed.
  static let closed = StoreError(.closed, code: SQLITE_MISUSE, "The store is closed.")
}
