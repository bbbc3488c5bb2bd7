import ChatEngine

/// The tables of the file and the numbered steps that lead to them.
enum Schema {
  /// `application_id` of our files: "Prly".
  static let applicationID: Int64 = 0x5072_6c79

  /// The steps; a file's `user_version` is the number of those that it has seen.
  ///
  /// Only ever add to the end.
  static let migrations: [String] = [first, second, third, fourth, fifth, sixth, seventh, eighth, ninth, tenth]

  /// The version that this program writes.
  static var version: Int64 { Int64(migrations.count) }

  // MARK: Opening

  /// Opens the writing connection and brings the file up to `version`.
  static func openForWriting(_ folder: DataFolder, _ settings: SQLiteStoreSettings) throws(StoreError) -> sending Database {
    let database = try Database(in: folder, .writing)
    try mark(database)
    try database.execute(writing)
    let mode = try database.text(of: "PRAGMA journal_mode = WAL")
    guard mode == "wal" else {
      throw StoreError(
        .inputOutput, code: 0,
        "The disk that holds \(folder.path) cannot keep a write-ahead log. Use a local file system, not one over the network.")
    }
    if let pages = settings.maxPages { _ = try database.integer(of: "PRAGMA max_page_count = \(pages)") }
    try migrate(database)
    return database
  }

  /// Opens a connection that reads.
  static func openForReading(_ folder: DataFolder) throws(StoreError) -> sending Database {
    let database = try Database(in: folder, .reading)
    try database.execute(reading)
    return database
  }

  private static let shared = """
    PRAGMA temp_store = MEMORY; PRAGMA mmap_size = 0; PRAGMA foreign_keys = OFF; PRAGMA trusted_schema = OFF;
    PRAGMA cell_size_check = ON
    """
  private static let reading = "\(shared); PRAGMA cache_size = -8192; PRAGMA query_only = ON"
  /// FULL: an acknowledged change survives a power cut.
  ///
  /// SQLite's own checkpoints are off, because `Database` has a hook.
  private static let writing = """
    \(shared); PRAGMA cache_size = -16384; PRAGMA synchronous = FULL; PRAGMA secure_delete = OFF;
    PRAGMA journal_size_limit = 67108864
    """

  /// Writes our id into an empty file, before the write-ahead log is switched on, and refuses a file of another program.
  private static func mark(_ database: Database) throws(StoreError) {
    guard try database.integer(of: "PRAGMA application_id") != applicationID else { return }
    guard try database.integer(of: "SELECT count(*) FROM sqlite_schema") == 0 else { throw database.folder.foreignFile() }
    try database.execute("PRAGMA application_id = \(applicationID)")
  }

  /// Brings a file up to `version`, each step in a transaction of its own.
  static func migrate(_ database: Database) throws(StoreError) {
    let found = try database.integer(of: "PRAGMA user_version")
    guard found >= 0, found <= version else { throw newer(database.folder.path) }
    for number in Int(found)..<migrations.count {
      do throws(StoreError) {
        try database.execute("BEGIN IMMEDIATE; \(migrations[number]); PRAGMA user_version = \(number + 1); COMMIT")
      } catch {
        database.rollBack()
        throw error
      }
    }
  }

  private static func newer(_ folder: String) -> StoreError {
    StoreError(
      .newerVersion, code: 0,
      "The database in \(folder) was written by a newer version of Parley. Start that version, or restore a backup made by this one.")
  }

  /// Rows arrive in key order, and each message adds an entry to two indexes at most: pages written are what a commit costs.
  ///
  /// - `conversations.last_number`, `last_created_at`: the newest message that is no tombstone, so that a list is ordered
  ///   without a look at messages. Keys are never used again, because `orphans` may still name them.
  /// - `participants`: by conversation, so that all of one lie on few pages; there is no index for the lowest `read_until`,
  ///   which would be rewritten with every message sent.
  /// - `participants_by_user` covers the order of a list. No column in it changes while a user stays.
  /// - `messages_by_number` knows tombstones, so that counting and paging read no rows to skip them.
  /// - `messages_by_revision` is for recovery: messages that never changed are found by their number.
  /// - `orphans`: keys of deleted conversations whose messages are removed bit by bit.
  private static let first = """
    CREATE TABLE meta (
      one INTEGER PRIMARY KEY CHECK (one = 1), epoch TEXT NOT NULL, guest_key BLOB NOT NULL, created_at INTEGER NOT NULL,
      swept_key INTEGER NOT NULL DEFAULT 0, probe BLOB
    ) STRICT;
    CREATE TABLE users (
      id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, role TEXT NOT NULL, photo_url TEXT, locale TEXT, custom TEXT, welcome_message TEXT,
      email TEXT, phone TEXT, created_at INTEGER NOT NULL, changed_at INTEGER NOT NULL, revision INTEGER NOT NULL, revoked_at INTEGER
    ) STRICT;
    CREATE TABLE conversations (
      key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, last_number INTEGER, last_created_at INTEGER,
      revision INTEGER NOT NULL, clock INTEGER NOT NULL, type INTEGER NOT NULL, created_at INTEGER NOT NULL, pair_first TEXT,
      pair_second TEXT, subject TEXT, photo_url TEXT, welcome_messages TEXT, custom TEXT
    ) STRICT;
    CREATE TABLE participants (
      conversation INTEGER NOT NULL, user TEXT NOT NULL, joined_at INTEGER NOT NULL, access INTEGER NOT NULL, notify INTEGER NOT NULL,
      joined_revision INTEGER NOT NULL, read_marker INTEGER NOT NULL, read_until INTEGER NOT NULL, is_marked_unread INTEGER NOT NULL,
      revision INTEGER NOT NULL, PRIMARY KEY (conversation, user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX participants_by_user ON participants (user, conversation, joined_at);
    CREATE TABLE removed_participants (
      conversation INTEGER NOT NULL, user TEXT NOT NULL, revision INTEGER NOT NULL, PRIMARY KEY (conversation, user)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE messages (
      key INTEGER PRIMARY KEY, conversation INTEGER NOT NULL, number INTEGER NOT NULL, is_deleted INTEGER NOT NULL,
      revision INTEGER NOT NULL, type INTEGER NOT NULL, sender TEXT, created_at INTEGER NOT NULL, edited_at INTEGER,
      referenced INTEGER, origin INTEGER NOT NULL, key_sender TEXT, client_message_id TEXT, request_hash INTEGER, custom TEXT,
      content TEXT
    ) STRICT;
    CREATE UNIQUE INDEX messages_by_number ON messages (conversation, number, is_deleted);
    CREATE UNIQUE INDEX messages_by_send_key ON messages (conversation, key_sender, client_message_id)
      WHERE client_message_id IS NOT NULL;
    CREATE INDEX messages_by_revision ON messages (conversation, revision) WHERE revision <> number;
    CREATE TABLE orphans (conversation INTEGER PRIMARY KEY) STRICT
    """

  /// The access of who left, so that nobody raises theirs by leaving and coming back.
  ///
  /// Nobody knows what those had who left before: 2, they may write, as they could then. `removed_readers` finds the others, access 1,
  /// who are few, without a look at all who ever left; `access` stands in it, because SQLite
  /// prefers the primary key to an index that does not answer all by itself.
  private static let second = """
    ALTER TABLE removed_participants ADD COLUMN access INTEGER NOT NULL DEFAULT 2;
    CREATE INDEX removed_readers ON removed_participants (conversation, user, access) WHERE access = 1
    """

  /// What moderators forbid users; they need not take part, nor have done so.
  private static let third = """
    CREATE TABLE restrictions (
      conversation INTEGER NOT NULL, user TEXT NOT NULL, is_banned INTEGER NOT NULL, is_muted INTEGER NOT NULL, reason TEXT,
      set_by TEXT NOT NULL, set_at INTEGER NOT NULL, PRIMARY KEY (conversation, user)
    ) STRICT, WITHOUT ROWID
    """

  /// When users were active last, where that is kept.
  private static let fourth = "ALTER TABLE users ADD COLUMN last_active_at INTEGER"

  /// Where users want to be told by push; `key` is the order of registering.
  ///
  /// A device belongs to who registered it last: it must not be told what is another user's.
  private static let fifth = """
    CREATE TABLE devices (
      key INTEGER PRIMARY KEY AUTOINCREMENT, token TEXT NOT NULL UNIQUE, user TEXT NOT NULL, gateway INTEGER NOT NULL, topic TEXT,
      environment INTEGER
    ) STRICT;
    CREATE INDEX devices_by_user ON devices (user)
    """

  /// Reactions, and the pinned message of a conversation.
  ///
  /// How many there are of each stands in the message, so that a page costs no more for them; the rows tell whose they are. They lie by
  /// message: what one user did on the messages of a page is some seeks near each other, and all of a message go at once.
  private static let sixth = """
    ALTER TABLE conversations ADD COLUMN pinned INTEGER;
    ALTER TABLE messages ADD COLUMN reactions TEXT;
    CREATE TABLE reactions (
      conversation INTEGER NOT NULL, number INTEGER NOT NULL, user TEXT NOT NULL, emoji TEXT NOT NULL,
      PRIMARY KEY (conversation, number, user, emoji)
    ) STRICT, WITHOUT ROWID
    """

  /// Whom users do not see, where that is kept.
  private static let seventh = "ALTER TABLE users ADD COLUMN muted TEXT"

  /// Files, and which messages have them.
  ///
  /// - `is_used`: whether any message ever had the file; those without are few and wait to be sent or removed.
  /// - `file_uses`: by message, so that a text costs no more than a look at it when it changes; the index says who may read a file.
  private static let eighth = """
    CREATE TABLE files (
      key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, hash TEXT NOT NULL, filename TEXT NOT NULL, size INTEGER NOT NULL,
      media_type TEXT NOT NULL, kind TEXT, width INTEGER, height INTEGER, duration_ms INTEGER, uploader TEXT NOT NULL,
      created_at INTEGER NOT NULL, is_used INTEGER NOT NULL
    ) STRICT;
    CREATE INDEX files_by_hash ON files (hash);
    CREATE INDEX files_by_uploader ON files (uploader, size);
    CREATE INDEX files_unused ON files (created_at) WHERE is_used = 0;
    CREATE TABLE file_uses (
      conversation INTEGER NOT NULL, number INTEGER NOT NULL, file INTEGER NOT NULL, PRIMARY KEY (conversation, number, file)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX file_uses_by_file ON file_uses (file, conversation)
    """

  /// Complaints about messages, in the order of `reports_by_revision`, and who is invited and has not joined.
  private static let ninth = """
    CREATE TABLE reports (
      conversation INTEGER NOT NULL, message INTEGER NOT NULL, reporter TEXT NOT NULL, revision INTEGER NOT NULL, sender TEXT,
      text TEXT NOT NULL, reason TEXT NOT NULL, reported_at INTEGER NOT NULL, PRIMARY KEY (conversation, message, reporter)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX reports_by_revision ON reports (conversation, revision);
    CREATE TABLE invitations (
      conversation INTEGER NOT NULL, user TEXT NOT NULL, invited_by TEXT NOT NULL, invited_at INTEGER NOT NULL,
      PRIMARY KEY (conversation, user)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX invitations_by_user ON invitations (user, invited_at)
    """

  /// Threads: conversations that hang under a message of another one, `root` and `root_number`.
  ///
  /// The key of the root stands with the places too: who leaves a conversation leaves its threads, however many it or they have.
  private static let tenth = """
    ALTER TABLE conversations ADD COLUMN root INTEGER;
    ALTER TABLE conversations ADD COLUMN root_number INTEGER;
    ALTER TABLE conversations ADD COLUMN reply_count INTEGER NOT NULL DEFAULT 0;
    CREATE UNIQUE INDEX threads ON conversations (root, root_number) WHERE root IS NOT NULL;
    ALTER TABLE participants ADD COLUMN root INTEGER;
    CREATE INDEX participants_by_root ON participants (root, user) WHERE root IS NOT NULL
    """
}
