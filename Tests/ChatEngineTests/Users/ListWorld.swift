import ChatModel

@testable import ChatEngine

/// A plain model of one user's conversations, and of the store that keeps them.
struct ListWorld {
  struct Conversation {
    var revision: Int64
    var activity: Timestamp
    var sender: String
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

  /// All conversations as the user sees them, last active first.
  var snapshots: [ConversationSnapshot] { entries.map { ListSamples.snapshot($0, users: Array(users.values)) } }

  /// A page, as the store reads it.
  func page(after cursor: ListCursor?, limit: Int) -> ListPage {
    let rest = entries.filter { entry in
      guard let cursor else { return true }
      return cursor.comes(before: ListSamples.cursor(entry.record.id.text, entry.lastMessage?.createdAt ?? 0))
    }
    let entries = Array(rest.prefix(limit))
    return ListPage(entries: entries, users: Array(users.values), reachedEnd: rest.count <= limit)
  }

  private var entries: [ListPage.Entry] {
    let all = conversations.map { ListSamples.entry($0.key, $0.value.activity, revision: $0.value.revision, by: $0.value.sender) }
    return all.sorted {
      let (one, other) = ($0.lastMessage?.createdAt ?? 0, $1.lastMessage?.createdAt ?? 0)
      return one == other ? $0.record.id < $1.record.id : one > other
    }
  }

  /// What a list is told about a conversation.
  func report(_ name: String) -> (ConversationID, Int64, ConversationSnapshot?) {
    guard let known = conversations[name] else { return (ListSamples.id(name), left[name] ?? 0, nil) }
    let entry = ListSamples.entry(name, known.activity, revision: known.revision, by: known.sender)
    return (ListSamples.id(name), known.revision, ListSamples.snapshot(entry, users: Array(users.values)))
  }

  // MARK: Changes

  /// A message is sent, by a user who joins for it where need be; one that was deleted begins anew.
  mutating func send(to name: String, by sender: String, begins: Bool, sameMoment: Bool) {
    if !sameMoment { clock += 1 }
    let revision = conversations[name]?.revision ?? (begins ? 0 : left[name] ?? 0)
    conversations[name] = Conversation(revision: revision + 1, activity: clock, sender: sender)
  }

  /// The last message is deleted: an earlier one counts.
  mutating func deleteLast(of name: String, to activity: Timestamp) {
    guard let known = conversations[name] else { return }
    conversations[name] = Conversation(revision: known.revision + 1, activity: min(known.activity, activity), sender: known.sender)
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
