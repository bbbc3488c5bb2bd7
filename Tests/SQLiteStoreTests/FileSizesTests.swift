import ChatEngine
import TestSupport
import Testing

@testable import SQLiteStore

@Test func `the sizes of files are looked at in the check, and not when somebody asks`() async throws {
  let folder = try TemporaryFolder()
  let sizes = FileSizes(database: folder.path + "/none")
  sizes.measure()
  expectEqual(sizes.last, FileSizes.Sizes(), "no files")
  let store = try SQLiteStore(folder: folder.path)
  let first = store.statistics()
  expect(first.databaseBytes > 0, "looked at when it was opened")
  expect((4_096..<100_000_000).contains(first.memoryBytes), "the library's memory: \(first.memoryBytes)")
  let error = await withCheckedContinuation { continuation in
    store.commit(ChangeSet([.putConversation(StoreContractRecords.conversation("a"))])) { continuation.resume(returning: $0) }
  }
  expectEqual(error, nil, "a commit")
  expectEqual([store.statistics().databaseBytes, store.statistics().logBytes], [first.databaseBytes, first.logBytes], "not looked at")
  let failure = await withCheckedContinuation { continuation in store.checkWritable { continuation.resume(returning: $0) } }
  expectEqual(failure, nil, "the check")
  expect(store.statistics().logBytes > first.logBytes, "looked at: \(store.statistics().logBytes)")
  store.close()
}
