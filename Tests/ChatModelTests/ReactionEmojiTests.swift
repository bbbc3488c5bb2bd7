import ChatModel
import TestSupport
import Testing

@Test func `emoji are taken in every form and kept in the fully-qualified one`() {
  let cases: [(String, String?)] = [
    // As they are, and as keyboards, fonts and older programs write them.
    ("\u{1F44D}", "\u{1F44D}"), ("\u{2764}\u{FE0F}", "\u{2764}\u{FE0F}"), ("\u{2764}", "\u{2764}\u{FE0F}"),
    ("\u{1F44D}\u{FE0F}", "\u{1F44D}"), ("\u{1F44D}\u{1F3FD}", "\u{1F44D}\u{1F3FD}"), ("\u{261D}\u{1F3FB}", "\u{261D}\u{1F3FB}"),
    ("\u{261D}\u{FE0F}\u{1F3FB}", "\u{261D}\u{1F3FB}"), ("1\u{20E3}", "1\u{FE0F}\u{20E3}"), ("*\u{FE0F}\u{20E3}", "*\u{FE0F}\u{20E3}"),
    ("\u{1F1E9}\u{1F1EA}", "\u{1F1E9}\u{1F1EA}"), ("\u{1F3F3}\u{200D}\u{1F308}", "\u{1F3F3}\u{FE0F}\u{200D}\u{1F308}"),
    ("\u{1F441}\u{200D}\u{1F5E8}\u{FE0F}", "\u{1F441}\u{FE0F}\u{200D}\u{1F5E8}\u{FE0F}"),
    ("\u{1F468}\u{1F3FB}\u{200D}\u{1F91D}\u{200D}\u{1F468}\u{1F3FF}", "\u{1F468}\u{1F3FB}\u{200D}\u{1F91D}\u{200D}\u{1F468}\u{1F3FF}"),
    ("\u{1F642}\u{200D}\u{2194}", "\u{1F642}\u{200D}\u{2194}\u{FE0F}"), ("\u{1FAE9}", "\u{1FAE9}"),
    // No emoji, several, and parts of some.
    ("", nil), ("a", nil), ("1", nil), ("*", nil), (" \u{1F44D}", nil), ("\u{1F44D}\u{1F44D}", nil), ("\u{1F3FB}", nil), ("\u{FE0F}", nil),
    ("\u{1F1E9}", nil), ("\u{200D}", nil), ("%", nil), ("\u{1F44D}%", nil),
    ("\u{1F468}\u{1F3FB}\u{200D}\u{1F91D}\u{200D}\u{1F468}\u{1F3FB}", nil),
    ("\u{2764}\u{FE0E}", nil), (String(repeating: "\u{1F44D}", count: 51), nil), (String(repeating: "x", count: 1 << 16), nil),
    // Names.
    (":a:", ":a:"), (":party_parrot-2:", ":party_parrot-2:"), (":\u{1F44D}:", ":\u{1F44D}:"), (":\u{E9}:", ":\u{E9}:"),
    (":\(String(repeating: "\u{1F600}", count: 48)):", ":\(String(repeating: "\u{1F600}", count: 48)):"),
    (":\(String(repeating: "n", count: 49)):", nil), ("::", nil), (":", nil), (":a", nil), ("a:", nil), (":a:b:", nil), (":a b:", nil),
    (":\u{A0}:", nil), (":\u{0}:", nil), (":e\u{301}:", nil),
  ]
  for (text, expected) in cases { expectEqual(ReactionEmoji(text)?.text, expected, text.unicodeScalars.map(\.description).joined()) }
}

@Test func `every emoji of the table is there, without and with its selectors`() {
  let plain = ["\u{1F600}", "\u{2615}", "\u{1F9D1}\u{200D}\u{1F680}", "\u{1FAE8}"]
  for text in plain { expectEqual(ReactionEmoji(text)?.text, text, text) }
  for first in 0..<5 {
    for second in 0..<5 {
      let tones = [first, second].map { Unicode.Scalar(UInt32(0x1F3FB + $0)).map(String.init) ?? "" }
      let hands = "\u{1FAF1}\(tones[0])\u{200D}\u{1FAF2}\(tones[1])"
      // Hands of one tone are an emoji of their own, without the joiner.
      expectEqual(ReactionEmoji(hands)?.text, first == second ? nil : hands, hands)
      let people = "\u{1F9D1}\(tones[0])\u{200D}\u{1F91D}\u{200D}\u{1F9D1}\(tones[1])"
      expectEqual(ReactionEmoji(people)?.text, people, people)
    }
  }
  expect(ReactionEmoji(stored: ":a:") < ReactionEmoji(stored: ":b:"), "ordered by bytes")
  expectEqual(ReactionEmoji(stored: ":a:").description, ":a:", "described by itself")
}
