import TestSupport
import Testing

@testable import Configuration

@Test func `the nearest name is found, and a far one is not offered`() {
  let names = ["maxBatch", "maxFragments", "name", "listen", "loops", "PARLEY_AUTH_SECRET", "--listen"]
  let cases: [(String, String?)] = [
    ("maxBach", "maxBatch"), ("maxbatch", "maxBatch"), ("max_batch", "maxBatch"), ("maxFragmetns", "maxFragments"), ("nmae", "name"),
    ("lisen", "listen"), ("PARLEY_AUTH_SECERT", "PARLEY_AUTH_SECRET"), ("zzz", nil), ("", nil), ("-", nil), ("x", nil), ("ab", nil),
    (String(repeating: "a", count: 300), nil),
  ]
  for (typed, nearest) in cases { expectEqual(NearestName.of(typed, among: names), nearest, typed) }
  expectEqual(NearestName.of("name", among: []), nil, "nothing to choose from")

  let distances = [
    ("", "", 0), ("a", "", 1), ("", "abc", 3), ("kitten", "sitting", 3), ("ab", "ba", 1), ("abcd", "acbd", 1), ("ca", "abc", 3),
  ]
  for (left, right, edits) in distances { expectEqual(NearestName.distance(Array(left), Array(right)), edits, "\(left) \(right)") }
}
