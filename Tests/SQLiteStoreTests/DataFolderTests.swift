import ChatEngine
import Glibc
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `a folder that cannot hold the data is refused with a sentence`() throws {
  let parent = try TemporaryFolder()
  parent.write([1], to: "file")
  let cases: [(name: String, path: String, kind: StoreError.Kind, words: String)] = [
    ("a file", "\(parent.path)/file", .inputOutput, "is not a folder"),
    ("a folder in a file", "\(parent.path)/file/data", .inputOutput, "is not a folder"),
    ("a file system without files", "/proc/parley", .inputOutput, "cannot be used"),
    ("a read-only file system", "/sys/parley", .locked, "cannot be written"),
    ("no path", "", .inputOutput, "cannot be used"),
  ]
  for test in cases {
    let error = storeError { _ = try SQLiteStore(folder: test.path) }
    // Whether /sys is read-only or just refuses differs between machines.
    if test.path.hasPrefix("/sys") {
      expect(error != nil, test.name)
    } else {
      expectEqual(error?.kind, test.kind, test.name)
      expect(error?.sentence.contains(test.words) == true, "\(test.name): \(error?.sentence ?? "no error")")
    }
  }
}

@Test func `a folder in the place of the file is refused`() throws {
  let folder = try TemporaryFolder()
  mkdir("\(folder.path)/parley.db", 0o700)
  defer { rmdir("\(folder.path)/parley.db") }
  expectEqual(storeError { _ = try SQLiteStore(folder: folder.path) }?.kind, .corrupt, "a folder")
}

@Test func `a folder is made with its parents, for its owner only, and locked once`() throws {
  let parent = try TemporaryFolder()
  let path = "\(parent.path)/one/two"
  var folder: DataFolder? = try DataFolder(path)
  try folder?.prepareFile()
  var status = stat()
  stat(path, &status)
  expectEqual(status.st_mode & 0o777, 0o700, "mode of the folder")
  stat("\(path)/parley.db", &status)
  expectEqual(status.st_mode & 0o777, 0o600, "mode of the file")
  expectEqual(storeError { _ = try DataFolder(path) }?.kind, .locked, "a second lock")
  expectEqual(folder?.database, "\(path)/parley.db", "an absolute path")
  folder = nil
  expectEqual(storeError { _ = try DataFolder(path) }, nil, "after the first is gone")
  for name in ["one/two/parley.db", "one/two/parley.lock"] { unlink("\(parent.path)/\(name)") }
  for name in ["one/two", "one"] { rmdir("\(parent.path)/\(name)") }
}
