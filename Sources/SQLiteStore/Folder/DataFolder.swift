import ChatEngine
import Glibc

/// The folder that holds the database, locked for as long as the object lives.
final class DataFolder: Sendable {
  /// The folder as it was named.
  let path: String
  private let lock: CInt

  /// Makes the folder where it is missing, and locks it.
  init(_ path: String) throws(StoreError) {
    self.path = path
    try Self.create(path)
    lock = try Self.lock(path)
  }

  deinit { close(lock) }

  /// The path of the database file, never one that SQLite would take for a URI.
  var database: String { path.hasPrefix("/") ? "\(path)/parley.db" : "./\(path)/parley.db" }

  // MARK: The folder

  private static func create(_ path: String) throws(StoreError) {
    var end = path.startIndex
    while end != path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      // Messages and the key that signs guests' ids are nobody else's business.
      if mkdir(String(path[..<end]), 0o700) == 0 {
        syncEntry(of: path[..<end])
      } else if ![EEXIST, EISDIR].contains(errno), end == path.endIndex {
        throw unusable(path, errno)
      }
    }
    var status = stat()
    guard stat(path, &status) == 0 else { throw unusable(path, errno) }
    guard status.st_mode & S_IFMT == S_IFDIR else { throw unusable(path, ENOTDIR) }
  }

  /// Makes sure that the new folder outlives a power cut as its files do; a file system that cannot is left to its own.
  private static func syncEntry(of folder: Substring) {
    let parent = folder.lastIndex(of: "/").map { folder[...$0] } ?? "."
    let descriptor = open(String(parent), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    fsync(descriptor)
    close(descriptor)
  }

  private static func lock(_ path: String) throws(StoreError) -> CInt {
    let descriptor = open("\(path)/parley.lock", O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unusable(path, errno) }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      let reason = errno
      close(descriptor)
      guard reason == EWOULDBLOCK else { throw unusable(path, reason) }
      throw StoreError(
        .locked, code: reason,
        "Another Parley runs on the data folder \(path). Stop it first, or give this one a folder of its own (--data).")
    }
    return descriptor
  }

  // MARK: The file

  /// Makes an empty database file where none is, readable by the owner only, and looks at its first bytes.
  func prepareFile() throws(StoreError) {
    // Before SQLite opens it: closing any descriptor of a file drops all locks that the process has on it.
    let descriptor = open(database, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw errno == EISDIR ? foreignFile() : Self.unusable(path, errno) }
    defer { close(descriptor) }
    var header = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let count = pread(descriptor, &header, header.count, 0)
    guard count >= 0 else { throw Self.unusable(path, errno) }
    guard DatabaseHeader.isOurs(Array(header.prefix(count))) else { throw foreignFile() }
  }

  /// The file is a database of another program, or none at all.
  func foreignFile() -> StoreError {
    StoreError(
      .corrupt, code: 0,
      "The file \(database) is not a database of Parley. Nothing in it was changed; move it away or name another folder (--data).")
  }

  // MARK: Sentences

  private static func unusable(_ path: String, _ code: CInt) -> StoreError {
    switch code {
    case ENOSPC, EDQUOT: return .full(code, path)
    case EACCES, EPERM, EROFS: return .notWritable(code, path)
    case ENOTDIR, EEXIST, ELOOP:
      return StoreError(.inputOutput, code: code, "\(path) is not a folder. Name a folder for the data, or move away what lies there.")
    default:
      let reason = String(cString: strerror(code))
      return StoreError(.inputOutput, code: code, "The data folder \(path) cannot be used (\(reason)). Name another one with --data.")
    }
  }
}
