import ChatModel

@testable import ChatEngine

/// A plain model of one user's conversations, and of the store that keeps them.
struct ListWorld {
  struct Conversation {
    var revision: Int64
    var activity: Timestamp
    var sender: String
    var isUnread = false
  }

  static let names = (0..<14).map { "c\($0)" }
  static let senders = ["bob", "cy"]

  private(set) var conversations: [String: Conversation] = [:]
  private(set) var users: [String: UserRecord] = [:]
  /// The last revision of conversations that the user left or that were deleted.
  private var left: [String: Int64] = [:]
  private var clock: Timestamp = 100

  init() {
    for sender in Self.senders { users[sender] = ListSamples.user(sender) }
  }

  /// The conversations that a filter lets pass, as the user sees them, last active first.
  func snapshots(_ filter: ConversationFilter?) -> [ConversationSnapshot] {
    entries.map { ListSamples.snapshot($0, users: Array(users.values)) }.filter { filter?.matches($0) ?? true }
  }

  /// A page, as the store reads it.
  func page(after cursor: ListCursor?, limit: Int, _ filter: ConversationFilter?) -> ListPage {
    let rest = entries.filter { entry in
      if filter?.matches(ListSamples.snapshot(entry)) == false { return false }
      guard let cursor else { return true }
      return cursor.comes(before: ListSamples.cursor(entry.record.id.text, entry.lastMessage?.createdAt ?? 0))
    }
    let entries = Array(rest.prefix(limit))
    return ListPage(entries: entries, users: Array(users.values), next: rest.dropFirst(limit).first?.record.id)
  }

  private var entries: [ListPage.Entry] {
    let all = conversations.map { Self.entry($0.key, $0.value) }
    return all.sorted {
      let (one, other) = ($0.lastMessage?.createdAt ?? 0, $1.lastMessage?.createdAt ?? 0)
      return one == other ? $0.record.id < $1.record.id : one > other
    }
  }

  /// What a list is told about a conversation.
  func report(_ name: String) -> (ConversationID, Int64, ConversationSnapshot?) {
    guard let known = conversations[name] else { return (ListSamples.id(name), left[name] ?? 0, nil) }
    let snapshot = ListSamples.snapshot(Self.entry(name, known), users: Array(users.values))
    return (ListSamples.id(name), known.revision, snapshot)
  }

  private static func entry(_ name: String, _ known: Conversation) -> ListPage.Entry {
    ListSamples.entry(name, known.activity, revision: known.revision, by: known.sender, isUnread: known.isUnread)
  }

  // MARK: Changes

  /// A message is sent, by a user who joins for it where need be; one that was deleted begins anew.
  mutating func send(to name: String, by sender: String, begins: Bool, sameMoment: Bool) {
    if !sameMoment { clock += 1 }
    let revision = conversations[name]?.revision ?? (begins ? 0 : left[name] ?? 0)
    let isUnread = conversations[name]?.isUnread ?? begins
    conversations[name] = Conversation(revision: revision + 1, activity: clock, sender: sender, isUnread: isUnread)
  }

  /// The user reads the conversation, or marks it as unread.
  mutating func toggleUnread(_ name: String) {
    conversations[name]?.isUnread.toggle()
    conversations[name]?.revision += 1
  }

  /// The last message is deleted: an earlier one counts.
  mutating func deleteLast(of name: String, to activity: Timestamp) {
    guard let known = conversations[name] else { return }
    conversations[name]?.revision += 1
    conversations[name]?.activity = min(known.activity, activity)
  }

  mutating func leave(_ name: String) {
    guard let known = conversations.removeValue(forKey: name) else { return }
    left[name] = known.revision + 1
  }

  mutating func rename(_ user: String) -> UserRecord {
    let record = ListSamples.user(user, (users[user]?.revision ?? 0) + 1)
    users[user] = record
    return record
  }
}
