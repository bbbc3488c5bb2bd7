import TestSupport
import Testing

@testable import ChatModel

@Test func `direct conversations have the ids of PubNub's chat SDKs`() {
  for (text, hash) in [("mo3k2 ok", Int64(5_914_255_141_804_885)), ("\u{104}\u{17E}< 4\u{F3}", 5_904_620_407_185_594)] {
    expectEqual(DirectPair.hash(text), hash, text)
  }
  for (one, other, id) in [("alice", "bob", "direct.6290047293405539"), ("user-2", "user-1", "direct.8343201206756609")] {
    expectEqual(DirectPair(UserID(stored: one), UserID(stored: other))?.conversation.text, id, "\(one) and \(other)")
    expectEqual(DirectPair(UserID(stored: other), UserID(stored: one))?.conversation.text, id, "\(other) and \(one)")
  }
  for index in 0..<2_000 { expect((0...0x1f_ffff_ffff_ffff).contains(DirectPair.hash("\(index)")), "53 bits") }
}

@Test func `the two are ordered by UTF-16 units`() {
  // U+1F600 is D83D DE00 in UTF-16, and so before U+FF5E.
  let emoji = UserID(stored: "\u{1F600}")
  let tilde = UserID(stored: "\u{FF5E}")
  let pair = DirectPair(tilde, emoji)
  expectEqual([pair?.first, pair?.second], [emoji, tilde], "not by scalars")
  expectEqual(DirectPair(emoji, tilde), pair, "in either order")
  expectEqual(DirectPair(emoji, emoji), nil, "two different ones")
  expectEqual([emoji, UserID(stored: "x")].map { pair?.contains($0) }, [true, false], "contains")
}
