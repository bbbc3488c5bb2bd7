import FoundationEssentials
import TestSupport
import Testing

@testable import Configuration

/// The file that operators start from, found from this source file.
private func shippedFile() throws -> String {
  let folders = #filePath.split(separator: "/").dropLast(3)
  return try String(contentsOfFile: "/" + folders.joined(separator: "/") + "/config/parley.json5", encoding: .utf8)
}

/// The paths of all members that the table calls keys or that are no objects.
private func leaves(_ value: ConfigurationValue, at path: String = "") -> [String: ConfigurationValue] {
  guard case .object(let members) = value, SettingTable.key(at: path) == nil else { return [path: value] }
  return members.reduce(into: [:]) { all, member in
    all.merge(leaves(member.value, at: path.isEmpty ? member.name : "\(path).\(member.name)")) { first, _ in first }
  }
}

@Test func `the shipped file shows every key with its default and why`() throws {
  let text = try shippedFile()
  expectEqual(try SettingsReader.read(text: text).get(), Settings(), "it gives exactly the defaults")

  let shown = leaves(try ConfigurationValue.parse(text))
  expectEqual(shown.keys.sorted(), SettingTable.keys.map(\.path).sorted(), "its keys are those of the table")
  expectEqual(JSON5Outline(of: text).duplicates.map(\.path), [], "no key twice")
  guard case .object(let roles) = shown["roles"] else { throw ConfigurationValue.SyntaxError(line: nil, advice: "") }
  guard case .object(let permissions) = roles.first?.value else { throw ConfigurationValue.SyntaxError(line: nil, advice: "") }
  expectEqual(permissions.map(\.name).sorted(), RoleTable.permissions.map(\.name).sorted(), "every permission")

  let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  let outline = JSON5Outline(of: text)
  for key in SettingTable.keys {
    let line = try #require(outline.places[key.path]?.line)
    let comment = lines[..<(line - 1)].reversed().prefix { $0.contains("//") }.reversed()
    let words = comment.flatMap { $0.split(separator: " ") }.filter { $0 != "//" }.joined(separator: " ")
    expectEqual(words, "\(key.reason) \(key.accepts.prefix(1).uppercased())\(key.accepts.dropFirst()).", key.path)
  }
}
