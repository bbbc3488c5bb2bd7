import ChatEngine
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `each result code has a kind and a sentence that says what to do`() {
  // https://www.sqlite.org/rescode.html
  let cases: [(name: String, code: Int32, kind: StoreError.Kind, words: String)] = [
    ("FULL", 13, .full, "Free some space"), ("CANTOPEN", 14, .locked, "Check its owner"), ("READONLY", 8, .locked, "Check its owner"),
    ("READONLY_DBMOVED", 1032, .locked, "Check its owner"), ("PERM", 3, .locked, "Check its owner"),
    ("AUTH", 23, .locked, "Check its owner"),
    ("BUSY", 5, .locked, "Another program holds"), ("LOCKED", 6, .locked, "Another program holds"),
    ("PROTOCOL", 15, .locked, "Another program holds"), ("CORRUPT", 11, .corrupt, "restore a backup"),
    ("CORRUPT_INDEX", 779, .corrupt, "restore a backup"), ("NOTADB", 26, .corrupt, "restore a backup"),
    ("FORMAT", 24, .corrupt, "restore a backup"), ("CONSTRAINT_UNIQUE", 2067, .constraint, "breaks a rule"),
    ("MISMATCH", 20, .constraint, "breaks a rule"), ("TOOBIG", 18, .constraint, "breaks a rule"),
    ("RANGE", 25, .constraint, "breaks a rule"), ("IOERR_FSYNC", 1034, .inputOutput, "Look at the disk"),
    ("NOMEM", 7, .inputOutput, "no memory"), ("ERROR", 1, .inputOutput, "refused a statement"),
    ("unknown", 99, .inputOutput, "refused a statement"),
  ]
  for test in cases {
    let error = StoreError.sqlite(test.code, handle: nil, folder: "/data")
    expectEqual(error.kind, test.kind, test.name)
    expectEqual(error.code, test.code, test.name)
    expect(error.sentence.contains(test.words) && error.sentence.hasSuffix("."), "\(test.name): \(error.sentence)")
  }
}
