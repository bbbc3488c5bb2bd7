import TestSupport
import Testing

@testable import TLS

@Test func `files are read when two looks in a row show the same change, and once`() {
  func marks(_ number: Int64) -> FileMarks {
    FileMarks(certificate: number == 0 ? nil : FileMark(device: 1, inode: 2, size: 3, modified: number), key: nil)
  }
  // Looks, each with whether the files are to be read.
  let cases: [(String, [(Int64, Bool)])] = [
    ("nothing changes", [(1, false), (1, false)]), ("a change", [(2, false), (2, true), (2, false)]),
    ("a writer at work", [(2, false), (3, false), (4, false), (4, true), (4, false)]),
    ("gone and back", [(0, false), (1, false), (1, true)]),
    ("gone", [(0, false), (0, true), (0, false)]),
  ]
  for (name, looks) in cases {
    var machine = ReloadMachine(read: marks(1))
    for (number, isDue) in looks { expectEqual(machine.looked(marks(number)), isDue ? .read : .nothing, "\(name): \(number)") }
  }
  var machine = ReloadMachine(read: marks(1))
  machine.read(before: marks(2), after: marks(2))
  expectEqual(machine.looked(marks(2)), .nothing, "read as asked")
  machine.read(before: marks(2), after: marks(3))
  expectEqual(machine.looked(marks(3)), .read, "written to while it was read")
}
