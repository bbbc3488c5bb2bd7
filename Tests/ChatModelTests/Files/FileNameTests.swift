import ChatModel
import TestSupport
import Testing

@Suite struct FileNameTests {
  private func violation(of name: String) -> FileNameViolation? {
    do throws(FileNameViolation) {
      try FileName.check(name)
      return nil
    } catch { return error }
  }

  @Test func `a name is a name and no path, and ends where it seems to`() {
    let rows: [(String, FileNameViolation?)] = [
      ("photo.png", nil), ("Übung 1 (neu).pdf", nil), ("日本.txt", nil), ("...", nil), (".profile", nil), ("a..b", nil),
      (String(repeating: "x", count: 200), nil), (String(repeating: "x", count: 201), .tooLong),
      ("", .empty), ("  ", .empty), (".", .path), ("..", .path), ("a/b", .path), ("../a", .path), ("a\\b", .path),
      ("a\u{0}b", .forbiddenCharacter), ("a\nb", .forbiddenCharacter), ("a\u{7F}", .forbiddenCharacter), ("a\u{85}", .forbiddenCharacter),
      ("a\u{2028}", .forbiddenCharacter), ("a\u{202E}gpj.exe", .forbiddenCharacter), ("a\u{2066}b", .forbiddenCharacter),
      ("\u{FEFF}a", .forbiddenCharacter), ("a\u{200E}", .forbiddenCharacter),
    ]
    for (name, expected) in rows { expectEqual(violation(of: name), expected, name.debugDescription) }
    for violation in FileNameViolation.allCases { expect(violation.sentence.hasPrefix("must"), violation.sentence) }
  }
}
