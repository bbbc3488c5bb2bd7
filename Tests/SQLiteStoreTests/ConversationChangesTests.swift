import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import SQLiteStore

private typealias Make = StoreContractRecords

@Test func `more conversations than the writer remembers are written all the same`() async throws {
  let folder = try TemporaryFolder()
  let store = try SQLiteStore(folder: folder.path)
  defer { store.close() }
  let names = (0..<9_000).map { "c\($0)" }
  expectEqual(await store.commit(ChangeSet(names.map { .putConversation(Make.conversation($0)) })), nil, "made")
  // Without their own rows: what is newest is in memory until the set ends or the memory is full.
  expectEqual(await store.commit(ChangeSet(names.map { .appendMessage(Make.id($0), Make.message(5), key: nil) })), nil, "sent")
  let reader = Make.participant("ann", marker: 4)
  expectEqual(await store.commit(ChangeSet(names.map { .putParticipant(Make.id($0), reader) })), nil, "joined")
  guard case .success(let answers) = await store.answers(to: [.unreadConversations(reader.user)]),
    case .conversations(let unread) = answers[0]
  else { return expect(false, "no answer") }
  expectEqual(Set(unread), Set(names.map(Make.id)), "each has its newest message")
}
