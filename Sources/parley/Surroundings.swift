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

  /// When files are read.
  enum Occasion {
    /// Pipes are waited for: a shell may write the file (`<(…)`), and signals still end the program.
    case start
    /// Nothing is waited for, because a reload that blocks keeps every later signal waiting: regular files only.
    case reload

    /// What is said of a file that cannot be read, behind that.
    var hint: String {
      switch self {
      case .start: ""
      case .reload: "; a reload reads regular files only"
      }
    }
  }

  /// A file's text; nil when it cannot be read or is not UTF-8.
  static func text(of path: String, at occasion: Occasion) -> String? {
    guard let file = open(path, at: occasion) else { return nil }
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

  private static func open(_ path: String, at occasion: Occasion) -> UnsafeMutablePointer<FILE>? {
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | (occasion == .reload ? O_NONBLOCK : 0))
    guard descriptor >= 0 else { return nil }
    var status = stat()
    let isRegular = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    guard occasion == .start || isRegular, let file = fdopen(descriptor, "r") else {
      close(descriptor)
      return nil
    }
    return file
  }

  /// No configuration or key is larger.
  private static let maxFileBytes = 1 << 20

  /// Reads the settings from a file, the environment and flags.
  static func settings(
    file: String?, overrides: [SettingsReader.Override] = [], rules: [StartRule] = StartRule.serving, at occasion: Occasion = .start
  ) -> Result<Settings, ConfigurationProblems> {
    var content: String?
    if let file {
      guard let text = text(of: file, at: occasion) else {
        let advice = "name a readable JSON5 file\(occasion.hint)"
        let problem = ConfigurationProblem(.settings, "", "\(file) cannot be read as a text file", advice)
        return .failure(ConfigurationProblems([problem]))
      }
      content = text
    }
    return SettingsReader.read(text: content, environment: environment, overrides: overrides, rules: rules) { text(of: $0, at: occasion) }
  }
}
