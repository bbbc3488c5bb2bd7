import ChatModel
import TestSupport
import Testing

@Test func `message ids sort, are read back and belong to one conversation`() {
  let room = ConversationID(stored: "room")
  let numbers: [MessageNumber] = [1, 2, 31, 32, 1_000_000, 1 << 53, .max]
  let ids = numbers.map { MessageID($0, in: room) }
  expectEqual(ids.map(\.text), ids.map(\.text).sorted(), "in order")
  for id in ids {
    expectEqual(id.text.utf8.count, 21, "the length")
    expectEqual(MessageID(id.text, in: room), id, "read back")
    expectEqual(MessageID(id.text, in: ConversationID(stored: "hall")), nil, "another conversation")
    expectEqual(id.description, id.text, "the text")
  }
  let good = MessageID(5, in: room).text
  let tag = good.prefix(8)
  let bad = [
    "", String(good.dropLast()), good + "0", tag + "000000000000w", tag + "0000000000000", tag + "7vvvvvvvvvvvw", tag + "8000000000000",
    tag + "vvvvvvvvvvvvv", good.uppercased() == good ? "" : good.uppercased(), tag + "00000000000\u{E9}",
  ]
  for text in bad { expectEqual(MessageID(String(text), in: room), nil, "not \(text)") }
  expectEqual(MessageID(String(tag + "7vvvvvvvvvvvv"), in: room)?.number, .max, "the highest")
  expectEqual([MessageID.unknown("x").text, "\(MessageID.unknown("x").number)"], ["x", "0"], "what is no id has no number")
  // Ids are kept by clients: they must not change.
  expectEqual(MessageID(5, in: room).text, "kdah87vg0000000000005", "a fixed value")
}
