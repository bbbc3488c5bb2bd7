import JSON
import TestSupport
import Testing

@Suite struct JSONErrorTests {
  @Test func `each kind has its own sentence`() {
    let sentences = JSONError.Kind.allCases.map { JSONError($0).sentence }
    expectEqual(Set(sentences).count, JSONError.Kind.allCases.count, "different")
    for sentence in sentences { expect(sentence.hasSuffix("."), sentence) }
  }
}
