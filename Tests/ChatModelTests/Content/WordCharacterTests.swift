import TestSupport
import Testing

@testable import ChatModel

@Test func `spaces are those of Unicode, and an address has nothing that cannot be seen`() {
  for value in (0..<0x3100).compactMap(Unicode.Scalar.init) as [Unicode.Scalar] {
    expectEqual(WordCharacter.isSpace(value), value.properties.isWhitespace, "\(value.value)")
    if WordCharacter.isVisible(value) { expect(!value.properties.isWhitespace, "\(value.value)") }
  }
  let cases: [(Unicode.Scalar, isWord: Bool, isVisible: Bool)] = [
    ("a", true, true), ("Z", true, true), ("0", true, true), ("_", false, true), (" ", false, false), ("\u{7F}", false, false),
    ("ä", true, true), ("日", true, true),
    ("\u{301}", true, true), ("\u{FE0F}", false, true), ("²", true, true), ("👍", false, true), ("\u{202E}", false, false),
    ("\u{200B}", false, false), ("\u{E000}", false, false), ("\u{A0}", false, false),
  ]
  for (scalar, isWord, isVisible) in cases {
    expectEqual([WordCharacter.isWord(scalar), WordCharacter.isVisible(scalar)], [isWord, isVisible], "\(scalar.value)")
  }
  expectEqual("AbÄ1[".lowercasedASCII, "abÄ1[", "small letters of ASCII")
}
