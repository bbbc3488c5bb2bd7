import ChatEngine
import ChatModel
import Dispatch
import Glibc
import Observability
import TestSupport
import Testing

@testable import SQLiteStore

private typealias Make = StoreContractRecords

@Test func `the store keeps the contract of its port`() async throws {
  var folders: [TemporaryFolder] = []
  try await checkStoreContract {
    let folder = try TemporaryFolder()
    folders.append(folder)
    return try SQLiteStore(folder: folder.path)
  }
}

@Test func `a reopened store has all that was acknowledged, after a clean end and after none`() async throws {
  let (folder, copy, early) = (try TemporaryFolder(), try TemporaryFolder(), try TemporaryFolder())
  // At the epoch no send key is old.
  let store = try SQLiteStore(folder: folder.path) { 0 }
  let id = Make.id("a")
  let queries: [StoreQuery] = [.conversation(id), .messages(id, .newest, limit: 100), .sent(id, Make.user("ann"), clientMessageId: "7")]
  expectEqual(await store.commit(ChangeSet([.putConversation(Make.conversation("a"))])), nil, "made")
  let sets = (1...50).map { ChangeSet([.appendMessage(id, Make.message($0), key: Make.key("ann", "\($0)"))]) }
  expectEqual(await store.commitAll(sets), Array(repeating: nil, count: 50), "sent")
  let expected = await store.answers(to: queries)
  // The bytes at this moment are those that a power cut would leave.
  for name in ["parley.db", "parley.db-wal"] { copy.write(folder.read(name) ?? [], to: name) }
  early.write(folder.read("parley.db") ?? [], to: "parley.db")
  store.close()
  expectEqual(folder.read("parley.db-wal")?.isEmpty ?? true, true, "the log is empty after a clean end")
  for (name, path) in [("clean", folder.path), ("unclean", copy.path)] {
    let again = try SQLiteStore(folder: path) { 0 }
    expectEqual(await again.answers(to: queries), expected, name)
    expectEqual(again.epoch, store.epoch, "\(name): epoch")
    expectEqual(again.guestKey, store.guestKey, "\(name): key")
    again.close()
  }
  let fresh = try SQLiteStore(folder: early.path)
  expect(fresh.epoch != store.epoch && fresh.guestKey != store.guestKey, "a file without its log is a new store")
  expectEqual(fresh.epoch.utf8.count, 16, "digits of the epoch")
  expectEqual(fresh.guestKey.count, 32, "bytes of the key")
  fresh.close()
}

@Test func `after closing, calls are answered with closed and the folder is free`() async throws {
  let folder = try TemporaryFolder()
  let store = try SQLiteStore(folder: folder.path)
  let second = storeError { _ = try SQLiteStore(folder: folder.path) }
  expectEqual(second?.kind, .locked, "a second store on the folder")
  expect(second?.sentence.contains("Another Parley runs on the data folder \(folder.path)") == true, "its sentence")
  let (answers, continuation) = AsyncStream<StoreError?>.makeStream()
  for number: MessageNumber in 1...3 {
    let set = ChangeSet([.putConversation(Make.conversation("a")), .appendMessage(Make.id("a"), Make.message(number), key: nil)])
    store.commit(set) { continuation.yield($0) }
  }
  store.close()
  store.close()
  continuation.finish()
  var given: [StoreError?] = []
  for await answer in answers { given.append(answer) }
  expectEqual(given, [nil, nil, nil], "what waited is committed before the end")
  expectEqual(await store.commit(ChangeSet([]))?.kind, .closed, "commit")
  expectEqual(await store.answers(to: [.users([])]), .failure(.closed), "read")
  expectEqual(await store.isWritable(), .closed, "probe")
  let again = try SQLiteStore(folder: folder.path)
  again.close()
}

@Test func `sets that wait are committed together`() async throws {
  let folder = try TemporaryFolder()
  let store = try SQLiteStore(folder: folder.path)
  defer { store.close() }
  let id = Make.id("a")
  let (isHeld, release) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  // The callback runs on the writer's queue: the writer is busy until it is released.
  store.commit(ChangeSet([.putConversation(Make.conversation("a"))])) { _ in
    isHeld.signal()
    release.wait()
  }
  await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      isHeld.wait()
      continuation.resume()
    }
  }
  let before = store.statistics()
  let (answers, continuation) = AsyncStream<StoreError?>.makeStream()
  for number: MessageNumber in 1...700 {
    store.commit(ChangeSet([.appendMessage(id, Make.message(number), key: nil)])) { continuation.yield($0) }
  }
  release.signal()
  var count = 0
  for await answer in answers {
    expectEqual(answer, nil, "set \(count)")
    count += 1
    if count == 700 { break }
  }
  // Counted before the callbacks are called.
  let after = store.statistics()
  expectEqual(after.groups - before.groups, 2, "700 sets in transactions of at most \(CommitQueue.maxGroup)")
  expectEqual(after.committedSets - before.committedSets, 700, "sets")
  expectEqual(after.changes - before.changes, 700, "changes")
  expectEqual(after.failedSets + after.failedGroups, 0, "failures")
  expectEqual(after.setsPerGroup.sum - before.setsPerGroup.sum, 700, "sets in the histogram")
  expect(after.commitMicroseconds.sum >= UInt64(after.lastCommitMicroseconds) && after.lastCommitMicroseconds > 0, "time is measured")
  await store.compareCount(700, in: id)
}

@Test func `a full disk fails the sends, loses nothing, and is got over`() async throws {
  let folder = try TemporaryFolder()
  var settings = SQLiteStoreSettings()
  settings.maxPages = 60
  let store = try SQLiteStore(folder: folder.path, settings: settings)
  expectEqual(
    await store.commit(ChangeSet([.putConversation(Make.conversation("a")), .putConversation(Make.conversation("b"))])), nil, "made")
  let kept = await store.fill(Make.id("a"), "limited file")
  // Room comes back when the messages of a deleted conversation have been removed.
  expectEqual(await store.commit(ChangeSet([.deleteConversation(Make.id("a"))])), nil, "deleting works without room")
  var error: StoreError?
  for _ in 0..<200 {
    error = await store.commit(ChangeSet([.appendMessage(Make.id("b"), Make.message(1, text: Text.long), key: nil)]))
    if error == nil { break }
  }
  expectEqual(error, nil, "goes on")
  expectEqual(await store.isWritable(), nil, "ready again")
  expect(kept > 0, "something was kept before")
  store.close()
}

@Test func `no space left on the device is told as a full disk`() async throws {
  let folder = try TemporaryFolder()
  // Only root may mount; without it the case above has to do.
  guard mount("tmpfs", folder.path, "tmpfs", 0, "size=2m") == 0 else { return }
  defer { umount2(folder.path, Int32(MNT_DETACH)) }
  let store = try SQLiteStore(folder: folder.path)
  expectEqual(await store.commit(ChangeSet([.putConversation(Make.conversation("a"))])), nil, "made")
  folder.write([UInt8](repeating: 1, count: 1 << 20), to: "ballast")
  let kept = await store.fill(Make.id("a"), "tmpfs")
  expectEqual((await store.isWritable())?.kind, .full, "not ready while it lasts")
  unlink("\(folder.path)/ballast")
  expectEqual(await store.isWritable(), nil, "ready again")
  expectEqual(await store.commit(ChangeSet([.appendMessage(Make.id("a"), Make.message(999_999), key: nil)])), nil, "goes on")
  await store.compareCount(kept + 1, in: Make.id("a"))
  store.close()
  let again = try SQLiteStore(folder: folder.path)
  await again.compareCount(kept + 1, in: Make.id("a"))
  again.close()
  folder.write([UInt8](repeating: 1, count: 4 << 20), to: "ballast")
  for name in ["parley.db", "parley.lock"] { unlink("\(folder.path)/\(name)") }
  folder.write([UInt8](repeating: 1, count: 4 << 20), to: "ballast")
  let atStart = storeError { _ = try SQLiteStore(folder: folder.path) }
  expectEqual(atStart?.kind, .full, "a start without room: \(atStart?.sentence ?? "none")")
}

private enum Text { static let long = String(repeating: "x", count: 3_000) }

extension SQLiteStore {
  /// What `checkWritable` answers.
  func isWritable() async -> StoreError? {
    await withCheckedContinuation { continuation in checkWritable { continuation.resume(returning: $0) } }
  }

  /// Sends until the disk is full; checks that exactly what was acknowledged is there, and says how much that is.
  func fill(_ id: ConversationID, _ name: String) async -> Int {
    var kept = 0
    for number: MessageNumber in 1...2_000 {
      let error = await commit(ChangeSet([.appendMessage(id, Make.message(number, text: Text.long), key: nil)]))
      guard let error else {
        kept += 1
        continue
      }
      expectEqual(error.kind, .full, "\(name): \(error)")
      expect(error.sentence.contains("is full. Free some space"), "\(name): sentence")
      break
    }
    expect(kept < 2_000, "\(name): it became full")
    let groups = statistics()
    expect(groups.failedGroups > 0 && groups.failedSets > 0, "\(name): counted")
    await compareCount(kept, in: id)
    return kept
  }

  /// Checks how many messages a conversation has.
  func compareCount(_ count: Int, in id: ConversationID) async {
    guard case .success(let answers) = await answers(to: [.messages(id, .newest, limit: 5_000)]), case .messages(let page) = answers.first
    else { return expect(false, "reading failed") }
    expectEqual(page.messages.count, count, "messages in \(id)")
  }
}
