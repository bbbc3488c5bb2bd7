import ChatEngine
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `a file that is not ours is refused and left alone`() throws {
  let ours =
    Array("SQLite format 3\0".utf8) + [UInt8](repeating: 0, count: 52) + [0x50, 0x72, 0x6c, 0x79] + [UInt8](repeating: 0, count: 28)
  var other = ours
  other[71] = 0x78
  let cases: [(name: String, bytes: [UInt8], isOurs: Bool)] = [
    ("an empty file", [], true), ("one of ours", ours, true), ("a short file", Array(ours.dropLast()), false),
    ("text", Array(String(repeating: "notes\n", count: 100).utf8), false), ("another program's database", other, false),
  ]
  for test in cases {
    expectEqual(DatabaseHeader.isOurs(test.bytes), test.isOurs, test.name)
    guard !test.isOurs else { continue }
    let folder = try TemporaryFolder()
    folder.write(test.bytes, to: "parley.db")
    let error = storeError { _ = try SQLiteStore(folder: folder.path) }
    expectEqual(error?.kind, .corrupt, test.name)
    expect(error?.sentence.contains("is not a database of Parley") == true, "\(test.name): sentence")
    expectEqual(folder.read("parley.db"), test.bytes, "\(test.name): the bytes")
    expectEqual(folder.read("parley.db-wal"), nil, "\(test.name): no other file")
  }
}
