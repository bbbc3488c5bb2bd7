import ChatEngine
import CSQLite

/// A prepared statement of one connection, used by that connection's queue only.
///
/// Parameters are bound and columns are read one after another, in the order in which the SQL names them.
final class Statement {
  private let handle: OpaquePointer
  private let folder: String
  private var parameter: Int32 = 0
  private var column: Int32 = 0
  private var firstBindFailure = SQLITE_OK

  /// Takes over a handle, which is finalized with the object.
  init(_ handle: OpaquePointer, folder: String) {
    self.handle = handle
    self.folder = folder
  }

  deinit { sqlite3_finalize(handle) }

  // MARK: Running

  /// Lends the statement to the body and resets it afterwards.
  func use<Result>(_ body: (Statement) throws(StoreError) -> Result) throws(StoreError) -> Result {
    defer { reset() }
    return try body(self)
  }

  /// Runs a statement that answers no rows.
  func run(_ bind: (Statement) -> Void = { _ in }) throws(StoreError) {
    defer { reset() }
    bind(self)
    _ = try step()
  }

  /// Goes to the next row; false at the end.
  func step() throws(StoreError) -> Bool {
    guard firstBindFailure == SQLITE_OK else { throw failure(firstBindFailure) }
    column = 0
    switch sqlite3_step(handle) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    case let code: throw failure(code)
    }
  }

  private func reset() {
    // The code repeats the failure that `step` has thrown.
    sqlite3_reset(handle)
    sqlite3_clear_bindings(handle)
    parameter = 0
    firstBindFailure = SQLITE_OK
  }

  private func failure(_ code: Int32) -> StoreError { .sqlite(code, handle: sqlite3_db_handle(handle), folder: folder) }

  // MARK: Parameters

  func bind(_ value: Int64) { note(sqlite3_bind_int64(handle, nextParameter(), value)) }

  func bind(_ value: Int64?) {
    if let value { bind(value) } else { bindNull() }
  }

  func bind(_ flag: Bool) { bind(flag ? 1 : 0 as Int64) }

  func bind(_ text: String) {
    var text = text
    text.withUTF8 { bind(utf8: UnsafeRawBufferPointer($0)) }
  }

  func bind(_ text: String?) {
    if let text { bind(text) } else { bindNull() }
  }

  /// Binds text; empty bytes are an empty text.
  func bind(utf8 bytes: UnsafeRawBufferPointer) {
    // Copied by SQLite: half a microsecond a row, and no pointer that must outlive a closure.
    let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self)
    let length = sqlite3_uint64(bytes.count)
    guard let text else { return bindEmptyText() }
    note(sqlite3_bind_text64(handle, nextParameter(), text, length, Self.transient, UInt8(SQLITE_UTF8)))
  }

  func bind(blob bytes: [UInt8]) {
    let index = nextParameter()
    note(bytes.withUnsafeBytes { sqlite3_bind_blob64(handle, index, $0.baseAddress, sqlite3_uint64($0.count), Self.transient) })
  }

  func bindNull() { note(sqlite3_bind_null(handle, nextParameter())) }

  // A null pointer would bind NULL instead of an empty text.
  private func bindEmptyText() { note(sqlite3_bind_text(handle, nextParameter(), "", 0, Self.transient)) }

  private func nextParameter() -> Int32 {
    parameter &+= 1
    return parameter
  }

  private func note(_ code: Int32) {
    if code != SQLITE_OK, firstBindFailure == SQLITE_OK { firstBindFailure = code }
  }

  /// `SQLITE_TRANSIENT`, a cast that Swift does not import.
  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1 as Int, to: sqlite3_destructor_type.self) }

  // MARK: Columns

  func integer() -> Int64 { sqlite3_column_int64(handle, nextColumn()) }

  func optionalInteger() -> Int64? {
    let index = nextColumn()
    return sqlite3_column_type(handle, index) == SQLITE_NULL ? nil : sqlite3_column_int64(handle, index)
  }

  func flag() -> Bool { integer() != 0 }

  func text() -> String { optionalText() ?? "" }

  func optionalText() -> String? { withOptionalBytes { bytes in bytes.map { String(decoding: $0, as: UTF8.self) } } }

  func blob() -> [UInt8] { withOptionalBytes { bytes in bytes.map { Array($0) } ?? [] } }

  /// Calls the body with the bytes of a text or a blob, which end with the call; nil for NULL.
  func withOptionalBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer?) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let index = nextColumn()
    guard sqlite3_column_type(handle, index) != SQLITE_NULL else { return try body(nil) }
    // The bytes come first: they may convert the value, and the length is that of the result.
    let start = sqlite3_column_blob(handle, index)
    return try body(UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_column_bytes(handle, index))))
  }

  private func nextColumn() -> Int32 {
    defer { column &+= 1 }
    return column
  }
}
