import ChatEngine
import Glibc

@testable import SQLiteStore

/// A folder for one test, removed with the object.
final class TemporaryFolder {
  let path: String

  init() throws {
    // In memory where there is such a place: what a power cut leaves cannot be tried here anyway.
    let parent = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp"
    var template = Array("\(parent)/parley-store-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw StoreError(.inputOutput, code: errno, "mkdtemp failed") }
    path = String(cString: made)
  }

  deinit {
    for name in Self.files { unlink("\(path)/\(name)") }
    rmdir(path)
  }

  private static let files = ["parley.db", "parley.db-wal", "parley.db-shm", "parley.lock", "ballast", "file"]

  /// Makes a file with these bytes.
  func write(_ bytes: [UInt8], to name: String) {
    let descriptor = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    _ = Glibc.write(descriptor, bytes, bytes.count)
    close(descriptor)
  }

  /// The bytes of a file; nil where there is none.
  func read(_ name: String) -> [UInt8]? {
    let descriptor = open("\(path)/\(name)", O_RDONLY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var status = stat()
    fstat(descriptor, &status)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    let count = pread(descriptor, &bytes, bytes.count, 0)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Runs SQL on the file while no store is open.
  func execute(_ sql: String) throws { try Database(in: DataFolder(path), .writing).execute(sql) }
}

/// The error that the body throws; nil when it throws none.
func storeError(_ body: () throws -> Void) -> StoreError? {
  do {
    try body()
    return nil
  } catch { return error as? StoreError }
}
