import Configuration
import Glibc

/// Results go to standard output, everything else to standard error.
enum StandardStreams {
  /// Writes a result and ends well.
  static func result(_ text: String) -> ExitCode {
    write(text, to: STDOUT_FILENO)
    return .success
  }

  /// Writes a line about what went wrong.
  static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Whether a terminal reads standard error.
  static var isErrorATerminal: Bool { isatty(STDERR_FILENO) == 1 }

  private static func write(_ text: String, to descriptor: CInt) {
    var bytes = Array(text.utf8)
    if bytes.last != UInt8(ascii: "\n") { bytes.append(UInt8(ascii: "\n")) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      // A reader that is gone cannot be told.
      guard count > 0 || (count < 0 && errno == EINTR) else { return }
      rest = rest.dropFirst(max(0, count))
    }
  }
}
