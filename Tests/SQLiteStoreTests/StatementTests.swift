import ChatEngine
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `values come back as they were bound`() throws {
  let folder = try TemporaryFolder()
  folder.write([], to: "parley.db")
  let database = try Database(in: DataFolder(folder.path), .writing)
  let echo = try database.prepare("SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8")
  for (number, text, blob) in [(Int64.min, "", [UInt8]()), (-1, "a\0b", [0]), (.max, "🧵 naïve", [1, 255, 0])] {
    try echo.use { (statement) throws(StoreError) in
      statement.bind(number)
      statement.bind(Int64?.none)
      statement.bind(Int64?(number))
      statement.bind(text)
      statement.bind(String?.none)
      statement.bind(String?(text))
      statement.bind(blob: blob)
      statement.bind(true)
      expect(try statement.step(), "a row")
      expectEqual(statement.integer(), number, "number")
      expectEqual(statement.optionalInteger(), nil, "no number")
      expectEqual(statement.optionalInteger(), number, "optional number")
      expectEqual(statement.text(), text, "text")
      expectEqual(statement.optionalText(), nil, "no text")
      expectEqual(statement.optionalText(), text, "optional text")
      expectEqual(statement.blob(), blob, "blob")
      expectEqual(statement.flag(), true, "flag")
      expect(try !statement.step(), "no second row")
    }
  }
  try echo.use { (statement) throws(StoreError) in
    expect(try statement.step(), "a row without bound values")
    expectEqual(statement.optionalInteger(), nil, "bindings are cleared")
    expectEqual((1...7).map { _ in statement.optionalText() }, Array(repeating: nil, count: 7), "all of them")
    expectEqual(statement.optionalText(), nil, "a column that is not there")
  }
}

@Test func `a failure is thrown and the statement can be used again`() throws {
  let folder = try TemporaryFolder()
  folder.write([], to: "parley.db")
  let database = try Database(in: DataFolder(folder.path), .writing)
  try database.execute("CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT NOT NULL) STRICT")
  let insert = try database.prepare("INSERT INTO t (a, b) VALUES (?1, ?2)")
  let run = { (key: Int64, text: String?) in
    storeError {
      try insert.run { statement in
        statement.bind(key)
        statement.bind(text)
      }
    }?.kind
  }
  expectEqual(run(1, "x"), nil, "a row")
  expectEqual(database.insertedKey, 1, "its key")
  expectEqual(run(1, "x"), .constraint, "the same key")
  expectEqual(run(2, nil), .constraint, "no text")
  expectEqual(run(2, "y"), nil, "after failures")
  let tooMany = storeError { try insert.run { statement in for _ in 0..<3 { statement.bind(5) } } }
  expectEqual(tooMany?.kind, .constraint, "too many values")
  expectEqual(try database.integer(of: "SELECT count(*) FROM t"), 2, "rows")
  expectEqual(storeError { _ = try database.prepare("SELECT nothing FROM nowhere") }?.kind, .inputOutput, "bad SQL")
  expectEqual(try database.text(of: "SELECT b FROM t WHERE a = 9"), nil, "no row")
}
