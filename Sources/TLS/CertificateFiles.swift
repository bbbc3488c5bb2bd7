import Glibc

/// Where a certificate with its chain and its key are stored.
package struct CertificateFiles: Sendable, Equatable {
  /// The path of the chain.
  package let certificate: String
  /// The path of the key.
  package let key: String

  /// Two paths, which may be the same.
  package init(certificate: String, key: String) {
    self.certificate = certificate
    self.key = key
  }

  /// No chain or key is larger.
  private static let maxBytes = 1 << 20

  /// Reads both; blocks, so never on a loop.
  package func read() throws(CredentialProblem) -> TLSCredentials {
    TLSCredentials(certificates: try Self.content(of: certificate), key: try Self.content(of: key))
  }

  private static func content(of path: String) throws(CredentialProblem) -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw .unreadable(path: path) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(descriptor, &piece, piece.count)
      guard count >= 0, bytes.count <= maxBytes else { throw .unreadable(path: path) }
      guard count > 0 else { return bytes }
      bytes += piece[..<count]
    }
  }

  /// Looks at what tells one state of the files from another; blocks too.
  package func marks() -> FileMarks {
    FileMarks(certificate: FileMark(of: certificate), key: FileMark(of: key))
  }
}

/// What tells one state of both files from another.
package struct FileMarks: Sendable, Equatable {
  /// Of the chain; nil where the file is not there.
  var certificate: FileMark?
  /// Of the key.
  var key: FileMark?
}

/// What tells one state of a file from another.
///
/// Links are followed: where a folder is exchanged behind a link, as Kubernetes does with its secrets, the file has another inode.
struct FileMark: Sendable, Equatable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  /// Nanoseconds of the last change of the content, cut to 64 bits.
  var modified: Int64
}

extension FileMark {
  /// The mark of a file; nil where it is not there.
  init?(of path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modified = Int64(status.st_mtim.tv_sec) &* 1_000_000_000 &+ Int64(status.st_mtim.tv_nsec)
  }
}
