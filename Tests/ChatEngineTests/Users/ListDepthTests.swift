import ChatModel
import TestSupport
import Testing

@testable import ChatEngine

struct ListDepthTests {
  private static func at(_ activity: Timestamp, _ id: String) -> ListCursor {
    ListCursor(activity: activity, conversation: ConversationID(stored: id))
  }

  @Test func `places sort last active first and then by the bytes of the id`() {
    // U+FF5E sorts before U+1F600 by bytes, and behind it by UTF-16 units.
    let places = [Self.at(9, "b"), Self.at(5, "Z"), Self.at(5, "a"), Self.at(5, "\u{FF5E}"), Self.at(5, "\u{1F600}"), Self.at(.min, "a")]
    for (index, place) in places.enumerated() {
      for (other, that) in places.enumerated() {
        expectEqual(place.comes(before: that), index < other, "\(index) before \(other)")
        expectEqual(ListDepth.floor(place) < .floor(that), index < other, "\(index) is not as deep as \(other)")
        expectEqual(ListDepth.floor(place).reaches(that), other <= index, "\(index) reaches \(other)")
      }
      expect(ListDepth.end.reaches(place), "the end reaches \(index)")
      expect(ListDepth.floor(place) < .end, "the end is deeper than \(index)")
      expect(!(ListDepth.end < .floor(place)), "\(index) is not deeper than the end")
    }
    expect(!(ListDepth.end < .end), "the end is as deep as itself")
  }
}
