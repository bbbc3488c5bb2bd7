import HTTPProtocol
import TestSupport
import Testing

@Suite struct ByteRangeTests {
  @Test func `one range is served, others are the whole`() {
    let rows: [(String?, Int64, ByteRange)] = [
      (nil, 10, .whole), ("", 10, .whole), ("bytes=", 10, .whole), ("bytes=-", 10, .whole), ("items=0-1", 10, .whole),
      ("bytes=0-1,3-4", 10, .whole), ("bytes=a-1", 10, .whole), ("bytes=1", 10, .whole), ("bytes=1-2-3", 10, .whole),
      ("bytes=5-4", 10, .whole), ("bytes=0-9999999999999999999", 10, .whole), ("bytes= 0-1", 10, .whole),
      ("bytes=0-0", 10, .part(0..<1)), ("Bytes=2-5", 10, .part(2..<6)), ("bytes=2-", 10, .part(2..<10)), ("bytes=0-99", 10, .part(0..<10)),
      ("bytes=-3", 10, .part(7..<10)), ("bytes=-99", 10, .part(0..<10)), ("bytes=9-999999999999999999", 10, .part(9..<10)),
      ("bytes=10-", 10, .unsatisfiable), ("bytes=10-11", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable),
      ("bytes=0-0", 0, .unsatisfiable), ("bytes=-1", 0, .unsatisfiable),
    ]
    for (field, size, expected) in rows { expectEqual(ByteRange(field, size: size), expected, "\(field ?? "none") of \(size)") }
  }
}
