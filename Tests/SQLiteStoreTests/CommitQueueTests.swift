import ChatEngine
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `the writer is woken once and gets groups in order`() {
  var queue = CommitQueue()
  let entry = { (number: Int64) in
    CommitQueue.Entry(
      changes: ChangeSet([.removeParticipant(StoreContractRecords.id("a"), StoreContractRecords.user("b"), revision: number)])
    ) { _ in }
  }
  expectEqual(queue.append(entry(0)), .wake, "the first")
  for number: Int64 in 1..<1_100 { expectEqual(queue.append(entry(number)), .queued, "\(number)") }
  for (start, count, isLast) in [(0, 512, false), (512, 512, false), (1_024, 76, true), (1_100, 0, true)] {
    let next = queue.next()
    expectEqual(revisions(next.group), (0..<count).map { Int64(start + $0) }, "group from \(start)")
    expectEqual(next.isLast, isLast, "group from \(start)")
  }
  expectEqual(queue.append(entry(1)), .wake, "asleep again")
  expect(queue.close(), "the first close")
  expect(!queue.close(), "the second close")
  expectEqual(queue.append(entry(2)), .closed, "after closing")
  expectEqual(revisions(queue.next().group), [1], "what came before is handed out")
}

private func revisions(_ group: [CommitQueue.Entry]) -> [Int64] {
  group.flatMap(\.changes.changes).compactMap { change in
    if case .removeParticipant(_, _, let revision) = change { revision } else { nil }
  }
}
