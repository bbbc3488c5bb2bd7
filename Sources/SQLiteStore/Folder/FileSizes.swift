import Glibc
import Locks

/// How large the store's files were when they were last looked at: a disk that hangs keeps waiting who looks, but not who asks here.
final class FileSizes: Sendable {
  /// The bytes of both files; 0 where there was none.
  struct Sizes: Equatable {
    var database: Int64 = 0
    var log: Int64 = 0
  }

  private let path: String
  private let measured = Lock(Sizes())

  /// Takes the path of the database's file; the log stands beside it.
  init(database path: String) { self.path = path }

  /// What was there when `measure` looked last.
  var last: Sizes { measured.withLock { $0 } }

  /// Looks; never on an event loop.
  func measure() {
    let sizes = Sizes(database: Self.bytes(of: path), log: Self.bytes(of: path + "-wal"))
    measured.withLock { $0 = sizes }
  }

  private static func bytes(of path: String) -> Int64 {
    var status = stat()
    return stat(path, &status) == 0 ? Int64(status.st_size) : 0
  }
}
