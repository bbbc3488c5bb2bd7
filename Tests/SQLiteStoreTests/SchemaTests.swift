import ChatEngine
import ChatModel
import TestSupport
import Testing

@testable import SQLiteStore

private typealias Make = StoreContractRecords

@Test func `a file is brought up to the version and no further`() throws {
  let folder = try TemporaryFolder()
  let sql = "SELECT group_concat(name, ' ') FROM (SELECT name FROM sqlite_schema ORDER BY name)"
  try SQLiteStore(folder: folder.path).close()
  let tables = try Database(in: DataFolder(folder.path), .writing).text(of: sql)
  expect(tables?.contains("messages_by_number") == true, "the tables are there")
  // Version 0 with our id and no tables: a start that was interrupted.
  let interrupted = try TemporaryFolder()
  interrupted.write([], to: "parley.db")
  try interrupted.execute("PRAGMA application_id = \(Schema.applicationID)")
  try SQLiteStore(folder: interrupted.path).close()
  let database = try Database(in: DataFolder(interrupted.path), .writing)
  expectEqual(try database.text(of: sql), tables, "migrated from version 0")
  expectEqual(try database.integer(of: "PRAGMA user_version"), Schema.version, "the version")
}

@Test func `a file of the first version is brought up to date, and who left before may write`() async throws {
  let folder = try TemporaryFolder()
  folder.write([], to: "parley.db")
  try folder.execute(
    """
    PRAGMA application_id = \(Schema.applicationID); \(Schema.migrations[0]); PRAGMA user_version = 1;
    INSERT INTO removed_participants (conversation, user, revision) VALUES (1, 'old', 1)
    """)
  let store = try SQLiteStore(folder: folder.path)
  let (id, readers) = (Make.id("a"), ["ann", "bob"].map { Make.participant($0) })
  var changes: [Change] = [.putConversation(Make.conversation("a"))]
  for (var reader, access) in zip(readers, [Access.read, .readWrite]) {
    reader.access = access
    changes += [.putParticipant(id, reader), .removeParticipant(id, reader.user, revision: 2)]
  }
  expectEqual(await store.commit(ChangeSet(changes)), nil, "written")
  guard case .success(let answers) = await store.answers(to: [.conversation(id)]), case .conversation(let load?) = answers[0] else {
    return expect(false, "no conversation")
  }
  expectEqual(load.formerReaders, [Make.user("ann")], "who left as a reader")
  store.close()
  let database = try Database(in: DataFolder(folder.path), .writing)
  expectEqual(try database.integer(of: "SELECT access FROM removed_participants WHERE user = 'old'"), 2, "who left before")
}

@Test func `a file of the second version is brought up to date, and nothing is forbidden anybody`() async throws {
  let folder = try TemporaryFolder()
  folder.write([], to: "parley.db")
  try folder.execute(
    """
    PRAGMA application_id = \(Schema.applicationID); \(Schema.migrations[0]); \(Schema.migrations[1]); PRAGMA user_version = 2;
    INSERT INTO conversations (id, revision, clock, type, created_at) VALUES ('a', 1, 1, 2, 1)
    """)
  let store = try SQLiteStore(folder: folder.path)
  let (id, ban) = (Make.id("a"), Make.restriction("ann", isBanned: true))
  for (changes, expected) in [([], []), ([Change.putRestriction(id, ban)], [ban])] {
    expectEqual(await store.commit(ChangeSet(changes)), nil, "written")
    guard case .success(let answers) = await store.answers(to: [.conversation(id)]), case .conversation(let load?) = answers[0] else {
      return expect(false, "no conversation")
    }
    expectEqual(load.restrictions, expected, "restrictions")
  }
  store.close()
}

@Test func `a file that cannot be served is refused with a sentence`() throws {
  let cases: [(name: String, sql: String, kind: StoreError.Kind, words: String)] = [
    ("a newer version", "PRAGMA user_version = \(Schema.version + 1)", .newerVersion, "newer version of Parley"),
    ("a negative version", "PRAGMA user_version = -1", .newerVersion, "newer version of Parley"),
    ("another program's file", "PRAGMA application_id = 1", .corrupt, "is not a database of Parley"),
    ("an id that was taken away", "PRAGMA application_id = 0", .corrupt, "is not a database of Parley"),
    ("tables in an older version", "PRAGMA user_version = 0", .inputOutput, "refused a statement"),
    ("a missing table", "DROP TABLE users", .inputOutput, "no such table"),
    ("a short key", "UPDATE meta SET guest_key = x'00'", .corrupt, "the store's identity"),
    ("no epoch", "UPDATE meta SET epoch = ''", .corrupt, "the store's identity"),
  ]
  for test in cases {
    let folder = try TemporaryFolder()
    try SQLiteStore(folder: folder.path).close()
    try folder.execute(test.sql)
    let error = storeError { _ = try SQLiteStore(folder: folder.path) }
    expectEqual(error?.kind, test.kind, test.name)
    expect(error?.sentence.contains(test.words) == true, "\(test.name): \(error?.sentence ?? "no error")")
    expectEqual(storeError { _ = try DataFolder(folder.path) }, nil, "\(test.name): the folder is free again")
  }
}

@Test func `a value that this version does not know is told as damage`() async throws {
  let id = Make.id("a")
  let conversation: StoreQuery = .conversation(id)
  let message: StoreQuery = .message(id, 1)
  let cases: [(sql: String, query: StoreQuery)] = [
    ("UPDATE conversations SET type = 9", conversation), ("UPDATE conversations SET pair_first = 'x', pair_second = 'x'", conversation),
    ("UPDATE conversations SET welcome_messages = '{}'", conversation), ("UPDATE conversations SET custom = '[]'", conversation),
    ("UPDATE conversations SET custom = '{\"a\":1}'", conversation), ("UPDATE conversations SET welcome_messages = '[1]'", conversation),
    ("UPDATE conversations SET custom = '{'", conversation), ("UPDATE participants SET access = 0", conversation),
    ("UPDATE participants SET notify = -1", conversation), ("UPDATE messages SET type = 3", message),
    ("UPDATE messages SET origin = 77", message), ("UPDATE messages SET content = '{}'", message),
    ("UPDATE messages SET content = '[{\"type\":\"video\"}]'", message), ("UPDATE messages SET content = '[\"x\"]'", message),
    ("UPDATE messages SET content = ''", message), ("UPDATE messages SET reactions = '{}'", message),
    ("UPDATE messages SET reactions = '[[1,2]]'", message), ("UPDATE messages SET reactions = '[[\"x\"]]'", message),
    ("UPDATE messages SET reactions = '[[\"x\",\"y\"]]'", message), ("UPDATE users SET email = '7'", .users([Make.user("ann")])),
  ]
  for test in cases {
    let folder = try TemporaryFolder()
    let store = try SQLiteStore(folder: folder.path)
    _ = await store.commit(
      ChangeSet([
        .putConversation(Make.conversation("a")), .putParticipant(id, Make.participant("ann")), .putUser(Make.fullUser("ann")),
        .appendMessage(id, Make.message(1), key: nil),
      ]))
    store.close()
    try folder.execute(test.sql)
    let again = try SQLiteStore(folder: folder.path)
    guard case .failure(let error) = await again.answers(to: [test.query]) else {
      expect(false, "\(test.sql): answered")
      continue
    }
    expectEqual(error.kind, .corrupt, test.sql)
    again.close()
  }
}

@Test func `the file's own rules are those of the schema`() throws {
  let folder = try TemporaryFolder()
  try SQLiteStore(folder: folder.path).close()
  let database = try Database(in: DataFolder(folder.path), .writing)
  let plans: [(sql: String, words: String)] = [
    ("SELECT number FROM messages WHERE conversation = 1 AND is_deleted = 0 ORDER BY number DESC", "COVERING INDEX messages_by_number"),
    ("SELECT user FROM removed_participants WHERE conversation = 1 AND access = 1", "COVERING INDEX removed_readers"),
    ("SELECT min(read_until) FROM participants WHERE conversation = 1", "PRIMARY KEY (conversation=?)"),
    ("SELECT number FROM messages WHERE conversation = 1 AND key_sender = 'a' AND client_message_id = 'b'", "messages_by_send_key"),
    ("SELECT 1 FROM messages WHERE conversation = 1 AND revision > 5 AND revision <> number", "messages_by_revision"),
    ("SELECT reason FROM reports WHERE conversation = 1 AND revision < 5 ORDER BY revision DESC", "reports_by_revision"),
    ("SELECT invited_by FROM invitations WHERE user = 'a'", "invitations_by_user"),
    (
      "SELECT revision FROM conversations WHERE root = 1 AND root_number BETWEEN 2 AND 3",
      "threads (root=? AND root_number>? AND root_number<?)"
    ),
    ("DELETE FROM participants WHERE root = 1 AND user = 'a'", "participants_by_root (root=? AND user=?)"),
  ]
  for plan in plans {
    let statement = try database.prepare("EXPLAIN QUERY PLAN \(plan.sql)")
    expect(try statement.step(), plan.sql)
    let detail = (statement.integer(), statement.integer(), statement.integer(), statement.text()).3
    expect(detail.contains(plan.words), "\(plan.sql): \(detail)")
  }
}
