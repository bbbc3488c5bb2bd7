import ChatModel
import TestSupport
import Testing

@Test func `ids keep the rule`() {
  let table: [(String, String, IdentifierViolation?)] = [
    ("a letter", "a", nil),
    ("a space inside", "a b", nil),
    ("dots and dashes", "direct.1-2_3", nil),
    ("92 scalars", String(repeating: "x", count: 92), nil),
    ("92 scalars of four bytes", String(repeating: "\u{1F600}", count: 92), nil),
    ("composed", "\u{E9}", nil),
    ("nothing", "", .empty),
    ("93 scalars", String(repeating: "x", count: 93), .tooLong),
    ("93 scalars in few characters", String(repeating: "e\u{301}", count: 47), .tooLong),
    ("very long", String(repeating: "x", count: 1_000), .tooLong),
    ("decomposed", "e\u{301}", .notNormalized),
    ("a singleton", "\u{212B}", .notNormalized),
    ("comma", "a,b", .forbiddenCharacter),
    ("slash", "a/b", .forbiddenCharacter),
    ("backslash", "a\\b", .forbiddenCharacter),
    ("asterisk", "*", .forbiddenCharacter),
    ("colon", "a:b", .forbiddenCharacter),
    ("NUL", "\0", .forbiddenCharacter),
    ("tab", "a\tb", .forbiddenCharacter),
    ("a C1 control", "a\u{85}b", .forbiddenCharacter),
    ("line separator", "a\u{2028}b", .forbiddenCharacter),
    ("paragraph separator", "a\u{2029}b", .forbiddenCharacter),
    ("a space in front", " a", .spaceAtEnd),
    ("a space behind", "a ", .spaceAtEnd),
    ("a wide space behind", "a\u{3000}", .spaceAtEnd),
  ]
  for (name, text, violation) in table {
    expectEqual(caught { () throws(IdentifierViolation) in try Identifier.check(text) }, violation, name)
    expectEqual(caught { () throws(IdentifierViolation) in _ = try UserID(text) }, violation, "user, \(name)")
    expectEqual(caught { () throws(IdentifierViolation) in _ = try ConversationID(text) }, violation, "conversation, \(name)")
  }
  expectEqual(Set(IdentifierViolation.allCases.map(\.sentence)).count, IdentifierViolation.allCases.count, "a sentence for each")
}

@Test func `ids are compared as bytes`() {
  let texts = ["b", "a", "\u{1F600}", "\u{FF5E}", "aa", "Z"]
  let ordered = ["Z", "a", "aa", "b", "\u{FF5E}", "\u{1F600}"]
  expectEqual(texts.map { UserID(stored: $0) }.sorted().map(\.description), ordered, "users")
  expectEqual(texts.map { ConversationID(stored: $0) }.sorted().map(\.description), ordered, "conversations")
  expectEqual(["guest-1", "guest", "a"].map { UserID(stored: $0).isGuest }, [true, false, false], "guests")
  let reserved = ["direct.1", "guest-1", "thread.a", "direct", "room"].map { ConversationID(stored: $0).isReserved }
  expectEqual(reserved, [true, true, true, false, false], "reserved")
}

private func caught(_ body: () throws(IdentifierViolation) -> Void) -> IdentifierViolation? {
  do throws(IdentifierViolation) {
    try body()
    return nil
  } catch { return error }
}
