import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import SQLiteStore

private typealias Make = StoreContractRecords

@Test func `who left has a tombstone until they return or the conversation goes`() async throws {
  let id = Make.id("a")
  let ann = Make.participant("ann")
  let leave = Change.removeParticipant(id, ann.user, revision: 7)
  let cases: [(name: String, changes: [Change], tombstones: String?)] = [
    ("a participant", [], nil), ("one who left", [leave], "ann 7"),
    ("one who left twice", [leave, .removeParticipant(id, ann.user, revision: 8)], "ann 7"),
    ("one who was never there", [.removeParticipant(id, Make.user("bob"), revision: 8)], nil),
    ("one who came back", [leave, .putParticipant(id, ann)], nil),
    ("one who left, came back and left", [leave, .putParticipant(id, ann), .removeParticipant(id, ann.user, revision: 9)], "ann 9"),
    ("a deleted conversation", [leave, .deleteConversation(id)], nil),
  ]
  for test in cases {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(folder: folder.path)
    let changes = [.putConversation(Make.conversation("a")), .putParticipant(id, ann)] + test.changes
    expectEqual(await store.commit(ChangeSet(changes)), nil, test.name)
    store.close()
    let database = try Database(in: DataFolder(folder.path), .writing)
    expectEqual(try database.text(of: "SELECT user || ' ' || revision FROM removed_participants"), test.tombstones, test.name)
  }
}
