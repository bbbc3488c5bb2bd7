import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import SQLiteStore

private typealias Make = StoreContractRecords

@Test func `old send keys and messages of deleted conversations are removed in the background`() async throws {
  let folder = try TemporaryFolder()
  let day: Timestamp = 86_400_000
  var settings = SQLiteStoreSettings()
  settings.dedupeDays = 30
  let (a, b) = (Make.id("a"), Make.id("b"))
  var store = try SQLiteStore(folder: folder.path, settings: settings) { 90 * day }
  expectEqual(
    await store.commit(ChangeSet([.putConversation(Make.conversation("a")), .putConversation(Make.conversation("b"))])), nil, "made")
  // A message each hour of 60 days, and twice as many in a conversation that is deleted.
  var changes: [Change] = []
  for hour: Int64 in 1...1_440 {
    changes.append(.appendMessage(a, Make.message(hour, at: 60 * day + hour * day / 24), key: Make.key("ann", "\(hour)")))
    for number in [2 * hour, 2 * hour + 1] { changes.append(.appendMessage(b, Make.message(number, at: 120 * day), key: nil)) }
  }
  for number in 2...2_000 as ClosedRange<Int64> { changes.append(.putReaction(b, Make.reaction(number, by: "ann"))) }
  changes.append(.putReaction(a, Make.reaction(1, by: "ann")))
  expectEqual(await store.commit(ChangeSet(changes)), nil, "sent")
  expectEqual(await store.commit(ChangeSet([.deleteConversation(b)])), nil, "deleted")
  store.close()

  // Each case: the time at the start, and the first hour whose key must still be there.
  let cases: [(day: Int64, firstKept: Int64?)] = [(90, 1), (100, 240), (101, 264), (121, 744), (200, nil)]
  for test in cases {
    store = try SQLiteStore(folder: folder.path, settings: settings) { test.day * day }
    // Steps go to the back of the writer's queue: as many probes let as many steps through.
    for _ in 0..<20 { expectEqual(await store.isWritable(), nil, "day \(test.day)") }
    var found: [Int64] = []
    for hour: Int64 in 1...1_440 {
      guard case .success(let answers) = await store.answers(to: [.sent(a, Make.user("ann"), clientMessageId: "\(hour)")]) else { continue }
      if case .sent(let sent?) = answers[0] { found.append(sent.number) }
    }
    expectEqual(found.first, test.firstKept, "day \(test.day)")
    expectEqual(found.count, test.firstKept.map { Int(1_441 - $0) } ?? 0, "day \(test.day): all younger ones")
    expectEqual(store.statistics().failedUpkeep, 0, "day \(test.day): failures")
    store.close()
  }
  let database = try Database(in: DataFolder(folder.path), .writing)
  expectEqual(try database.integer(of: "SELECT count(*) FROM messages"), 1_440, "messages left")
  expectEqual(try database.integer(of: "SELECT count(*) FROM reactions"), 1, "reactions left")
  expectEqual(try database.integer(of: "SELECT count(*) FROM orphans"), 0, "orphans left")
}

@Test func `the log is copied into the file when it is long`() async throws {
  let folder = try TemporaryFolder()
  var settings = SQLiteStoreSettings()
  settings.pagesPerCheckpoint = 20
  let store = try SQLiteStore(folder: folder.path, settings: settings)
  expectEqual(await store.commit(ChangeSet([.putConversation(Make.conversation("a"))])), nil, "made")
  for number: MessageNumber in 1...100 {
    expectEqual(await store.commit(ChangeSet([.appendMessage(Make.id("a"), Make.message(number), key: nil)])), nil, "\(number)")
  }
  expect(store.statistics().checkpoints >= 5, "\(store.statistics().checkpoints) checkpoints")
  expect((folder.read("parley.db-wal")?.count ?? 0) < 60 * 4_200, "the log is used again from its start")
  store.close()
}
