import Glibc

@testable import TLS

/// A folder for certificate files, removed at the end of the test.
final class TemporaryFiles {
  let folder: String
  private var paths: [String] = []

  struct Failure: Error {}

  init() throws {
    var template = Array("/tmp/parley-tls-test-XXXXXX".utf8CString)
    guard let path = mkdtemp(&template) else { throw Failure() }
    folder = String(cString: path)
  }

  deinit {
    for path in paths.reversed() where unlink(path) != 0 { rmdir(path) }
    rmdir(folder)
  }

  /// The path of a name, which is removed at the end.
  func path(_ name: String) -> String {
    let path = "\(folder)/\(name)"
    if !paths.contains(path) { paths.append(path) }
    return path
  }

  /// Writes a file, as a new one that takes the place of the old.
  func write(_ bytes: [UInt8], to name: String) throws {
    let new = path(name + ".new")
    guard let file = fopen(new, "w") else { throw Failure() }
    let isWritten = fwrite(bytes, 1, bytes.count, file) == bytes.count
    guard fclose(file) == 0, isWritten, rename(new, path(name)) == 0 else { throw Failure() }
  }

  /// Makes or exchanges a symbolic link.
  func link(_ name: String, to target: String) throws {
    let new = path(name + ".new")
    guard symlink(target, new) == 0, rename(new, path(name)) == 0 else { throw Failure() }
  }

  func makeFolder(_ name: String) throws {
    guard mkdir(path(name), 0o700) == 0 else { throw Failure() }
  }

  var files: CertificateFiles { CertificateFiles(certificate: path("tls.crt"), key: path("tls.key")) }
}
