import ChatModel
import TestSupport
import Testing

@Test func `conditions on texts compare byte by byte, and know absence`() {
  let cases: [(String, TextCondition, holds: [String?])] = [
    ("one", .isOneOf(["a"]), ["a"]), ("another", .isNoneOf(["a"]), ["b", "", "\u{e9}", "e\u{301}", nil]),
    ("some", .isOneOf(["b", "", "b"]), ["b", ""]), ("none of some", .isNoneOf(["b", "a"]), ["", "\u{e9}", "e\u{301}", nil]),
    ("absence", .isOneOf([nil]), [nil]), ("presence", .isNoneOf([nil]), ["a", "b", "", "\u{e9}", "e\u{301}"]),
    ("exists", .exists, ["a", "b", "", "\u{e9}", "e\u{301}"]), ("is absent", .isAbsent, [nil]),
    ("one or absence", .isOneOf(["a", nil]), ["a", nil]), ("nothing", .isOneOf([]), []),
    ("anything", .isNoneOf([]), ["a", "b", "", "\u{e9}", "e\u{301}", nil]), ("one spelling", .isOneOf(["\u{e9}"]), ["\u{e9}"]),
  ]
  let all: [String?] = ["a", "b", "", "\u{e9}", "e\u{301}", nil]
  for (name, condition, holds) in cases {
    let found = all.filter { condition.holds(for: $0) }
    // Compared as bytes, because two of the texts are equal to Swift.
    expectEqual(found.map { $0.map { Array($0.utf8) } }, holds.map { $0.map { Array($0.utf8) } }, name)
  }
  expectEqual(TextCondition.isOneOf(["b", "a", "b"]), .isOneOf(["a", "b"]), "the same texts in another order")
  expect(TextCondition.isOneOf(["\u{e9}"]) != .isOneOf(["e\u{301}"]), "two spellings are two texts")
  expectEqual(Set([ExactText("\u{e9}"), ExactText("e\u{301}"), ExactText("\u{e9}")]).count, 2, "of which a set holds both")
}
