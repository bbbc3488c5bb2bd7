/// Which program runs.
package struct BuildFigures: Sendable, Equatable {
  /// As `parley version` says.
  package let version: String
  /// The commit it was built from.
  package let commit: String
  /// The compiler.
  package let swift: String

  /// A build.
  package init(version: String, commit: String, swift: String) {
    self.version = version
    self.commit = commit
    self.swift = swift
  }
}
