/// One thing that is wrong with the configuration, and what would be right.
///
/// Its text never holds the value of a secret.
package struct ConfigurationProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// Where the value was given.
  package enum Source: Sendable, Equatable {
    /// In the file; the line counts from 1, if it is known.
    case file(line: Int?)
    /// In an environment variable.
    case environment(String)
    /// By a flag of the command line.
    case flag(String)
    /// Nowhere: the settings together are refused.
    case settings
  }

  /// Where the value was given.
  package let source: Source
  /// The key, as `server.limits.maxBatch`; empty for the file as a whole.
  package let path: String
  /// What is wrong, as half a sentence.
  package let wrong: String
  /// What would be right, as half a sentence.
  package let right: String

  /// A problem with its place, its cause and its remedy.
  package init(_ source: Source, _ path: String, _ wrong: String, _ right: String) {
    self.source = source
    self.path = path
    self.wrong = wrong
    self.right = right
  }

  /// The problem as one line.
  package var description: String {
    var places: [String] = []
    switch source {
    case .file(let line): if let line { places.append("line \(line)") }
    case .environment(let name): places.append(Self.visible(name))
    case .flag(let name): places.append(name)
    case .settings: break
    }
    if !path.isEmpty { places.append(Self.visible(path)) }
    return (places + ["\(wrong); \(right)"]).joined(separator: ": ")
  }

  /// A name as it is, or quoted where it would break the line or move the cursor of a terminal.
  private static func visible(_ name: String) -> String {
    name.unicodeScalars.contains { $0.properties.generalCategory == .control } ? SettingKey.quoted(name) : name
  }
}

/// Every problem of a configuration, in the order of the file, then of the environment, then of the flags.
package struct ConfigurationProblems: Error, Sendable, Equatable, CustomStringConvertible {
  /// At least one problem.
  package let all: [ConfigurationProblem]
  /// What could be read all the same, for checks that go on.
  package let settings: Settings

  /// Problems in the order in which they are shown.
  package init(_ all: [ConfigurationProblem], settings: Settings = Settings()) {
    self.all = all
    self.settings = settings
  }

  /// A line for each problem.
  package var description: String { all.map(\.description).joined(separator: "\n") }
}
