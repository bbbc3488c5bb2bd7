import Configuration
import Glibc

/// What the program is given from outside: variables and files.
enum Surroundings {
  /// All environment variables.
  static var environment: [String: String] {
    var variables: [String: String] = [:]
    var entry = environ
    while let line = entry.pointee {
      let text = String(cString: line)
      if let equals = text.firstIndex(of: "=") { variables[String(text[..<equals])] = String(text[text.index(after: equals)...]) }
      entry += 1
    }
    return variables
  }

  /// A file's text; nil when it cannot be read or is not UTF-8.
  static func text(of path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = fread(&piece, 1, piece.count, file)
      bytes += piece[..<count]
      guard count == piece.count, bytes.count <= maxFileBytes else { break }
    }
    return ferror(file) == 0 && bytes.count <= maxFileBytes ? String(validating: bytes, as: UTF8.self) : nil
  }

  /// No configuration or key is larger.
  private static let maxFileBytes = 1 << 20

  /// Reads the settings from a file, the environment and flags.
  static func settings(
    file: String?, overrides: [SettingsReader.Override] = [], rules: [StartRule] = StartRule.serving
  ) -> Result<Settings, ConfigurationProblems> {
    var content: String?
    if let file {
      guard let text = text(of: file) else {
        let problem = ConfigurationProblem(.settings, "", "\(file) cannot be read as a text file", "name a readable JSON5 file")
        return .failure(ConfigurationProblems([problem]))
      }
      content = text
    }
    return SettingsReader.read(text: content, environment: environment, overrides: overrides, rules: rules, readFile: text(of:))
  }
}
