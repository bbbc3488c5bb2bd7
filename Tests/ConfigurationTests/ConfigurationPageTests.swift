import FoundationEssentials
import TestSupport
import Testing

@testable import Configuration

/// `docs/configuration.md`, made from the table: `PARLEY_WRITE_DOCS=1 swift test --filter ConfigurationPageTests` writes it.
private enum ConfigurationPage {
  static let path = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/configuration.md"

  static func text() -> String {
    var lines = head
    for (section, title) in sections {
      lines += ["", "## \(title)", "", "| key | default | accepts | why |", "| --- | --- | --- | --- |"]
      lines += SettingTable.keys.filter { Self.section(of: $0) == section }.map(row)
    }
    return (lines + tail).joined(separator: "\n") + "\n"
  }

  private static func section(of key: SettingKey) -> String {
    let words = key.path.split(separator: ".")
    return words.starts(with: ["server", "limits"]) ? "server.limits" : words.first.map(String.init) ?? ""
  }

  /// Sections in the table's order, with their titles.
  private static var sections: [(String, String)] {
    var seen: [String] = []
    for key in SettingTable.keys where !seen.contains(section(of: key)) { seen.append(section(of: key)) }
    return seen.map { ($0, "`\($0)`") }
  }

  private static func row(_ key: SettingKey) -> String {
    let mark = SettingTable.reloaded.contains(key.path) ? " ↻" : ""
    let value = key.path == "roles" ? "see below" : code(key.defaultValue.rendered().replacing("\n", with: " "))
    let accepts = key.accepts.hasPrefix("use ") ? String(key.accepts.dropFirst(4)) : key.accepts
    return "| `\(key.path)`\(mark)<br>`\(key.environmentName)` | \(value) | \(cell(accepts)) | \(cell(key.reason)) |"
  }

  private static func code(_ text: String) -> String { "`\(cell(text))`" }

  private static func cell(_ text: String) -> String { text.replacing("|", with: "\\|") }

  private static let head = [
    "# Configuration", "",
    "Every key with its default, what it accepts, and why. All are optional. The file is JSON5 (`parley serve --config FILE`);",
    "[config/parley.json5](../config/parley.json5) is one with every key. `parley check-config FILE` names every mistake at once, with",
    "`--print` it shows what holds, secrets masked. Unknown keys are refused with the nearest right one.", "",
    "- The variable under a key sets it too and wins over the file; flags (`--listen`, `--data`) win over both. `PARLEY_LISTEN` and",
    "  `PARLEY_DATA` are short for `server.listen` and `store.data`. An empty variable counts as not set.",
    "- Lists have commas between their items or are JSON5, `roles` is JSON5.",
    "- With `_FILE` behind it a variable names a file that holds the value: `PARLEY_AUTH_SECRET_FILE=/run/secrets/parley`.",
    "- ↻ marks what SIGHUP takes over while the gateway runs, files of keys included. All others need a restart; the log says which",
    "  of them changed. A file with a mistake changes nothing.", "",
    "This page is made from the table in the program; a test holds it to that (`Tests/ConfigurationTests/ConfigurationPageTests.swift`).",
  ]

  private static var tail: [String] {
    let role = RoleTable.show(RoleSettings())
    guard case .object(let permissions) = role else { return [] }
    return [
      "", "## The role `default`", "",
      "A session has the role of its token, or the user's own, or `default`. A permission that a role leaves out is as here:", "",
      "| permission | default |", "| --- | --- |",
    ] + permissions.map { "| `\($0.name)` | \(code($0.value.rendered())) |" }
  }
}

@Test func `the page shows every key as the table has it`() throws {
  let made = ConfigurationPage.text()
  if ProcessInfo.processInfo.environment["PARLEY_WRITE_DOCS"] == "1" {
    try made.write(toFile: ConfigurationPage.path, atomically: true, encoding: .utf8)
  }
  let shown = try String(contentsOfFile: ConfigurationPage.path, encoding: .utf8)
  let (lines, wanted) = (shown.split(separator: "\n"), made.split(separator: "\n"))
  let hint = "write it with PARLEY_WRITE_DOCS=1 swift test --filter ConfigurationPageTests"
  for line in wanted where !lines.contains(line) { expect(false, "docs/configuration.md lacks the line, \(hint): \(line)") }
  expectEqual(lines.count, wanted.count, "docs/configuration.md has lines of its own, \(hint)")
  expect(shown == made, "docs/configuration.md has another order, \(hint)")
  expect(shown.split(separator: "\n", omittingEmptySubsequences: false).count <= 300, "at most 300 lines")
}
