import CBuild
import Configuration
import Crypto
import SQLiteStore

/// `parley version`: of the program and of what it stands on.
enum VersionCommand {
  /// The version of the program.
  static let version = "0.1.0"

  static func run() -> ExitCode {
    StandardStreams.result(
      """
      parley \(version)
      commit \(commit)
      swift \(swift)
      openssl \(LibraryVersions.openSSL)
      cjose \(LibraryVersions.cjose)
      sqlite \(SQLiteLibrary.version)
      """)
  }

  /// The commit that it was built from.
  static var commit: String { String(cString: parley_commit()) }

  /// The compiler that built it.
  static var swift: String {
    #if compiler(>=6.4)
      "6.4 or later"
    #elseif compiler(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }
}
