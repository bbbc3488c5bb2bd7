import ChatEngine
import Glibc

/// A file that is being written, and is gone with this object unless it got a name of its own.
final class TemporaryFile {
  private let path: String
  private let descriptor: CInt
  private var isKept = false

  /// Makes the file, readable by the owner only.
  init(_ path: String) throws(FileStoreError) {
    self.path = path
    descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .last() }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
    if descriptor >= 0, !isKept { unlink(path) }
  }

  /// Adds bytes.
  func write(_ bytes: [UInt8]) throws(FileStoreError) {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), $0.count - written) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .last() }
      written += count
    }
  }

  /// Returns when the bytes would survive a power cut.
  func sync() throws(FileStoreError) {
    guard fsync(descriptor) == 0 else { throw .last() }
  }

  /// Gives the file its name for good.
  func keep(as name: String) throws(FileStoreError) {
    guard rename(path, name) == 0 else { throw .last() }
    isKept = true
  }
}

extension FileStoreError {
  /// What the last call of the system failed with.
  static func last() -> FileStoreError {
    switch errno {
    // A limit on the size of files is the disk's end for whoever has it.
    case ENOSPC, EDQUOT, EFBIG: .full
    case ENOENT: .missing
    default: .inputOutput
    }
  }
}
