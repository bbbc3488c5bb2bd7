import ChatModel

@testable import ChatEngine

/// Conversations as the tests of lists name them: by an id, the time of the last message, and a revision.
enum ListSamples {
  static let viewer = UserID(stored: "ann")

  static func id(_ text: String) -> ConversationID { ConversationID(stored: text) }

  static func cursor(_ text: String, _ activity: Timestamp) -> ListCursor { ListCursor(activity: activity, conversation: id(text)) }

  static func user(_ text: String, _ revision: Int64 = 1) -> UserRecord {
    var record = UserRecord(id: UserID(stored: text), name: "\(text) \(revision)", createdAt: 0)
    record.revision = revision
    return record
  }

  static func message(
    _ number: MessageNumber, by sender: String, at time: Timestamp, answering: MessageNumber? = nil, size: Int = 1
  ) -> MessageRecord {
    MessageRecord(
      number: number, revision: number, type: .user, sender: UserID(stored: sender), custom: CustomFields(), createdAt: time,
      editedAt: nil, referenced: answering, origin: .web, content: ContentBlock.plain(String(repeating: "x", count: size)),
      isDeleted: false)
  }

  /// A conversation as the store's page holds it; without an activity it has no message and was joined at 0.
  static func entry(
    _ text: String, _ activity: Timestamp?, revision: Int64 = 1, by sender: String = "bob", quoting quoted: String? = nil, size: Int = 1,
    isUnread: Bool = false
  ) -> ListPage.Entry {
    var record = ConversationRecord(id: id(text), type: .group, pair: nil, createdAt: 0)
    record.revision = revision
    let quote = quoted.map { message(1, by: $0, at: 0) }
    let last = activity.map { message(max(2, revision), by: sender, at: $0, answering: quote?.number, size: size) }
    var place = ParticipantRecord(user: viewer, joinedAt: 0, revision: 1)
    place.isMarkedUnread = isUnread
    return ListPage.Entry(record: record, viewer: place, lastMessage: last, quoted: quote, unread: 0, lowestReadUntil: 0)
  }

  /// The entry as a subscriber sees it.
  static func snapshot(_ entry: ListPage.Entry, users: [UserRecord] = [user("bob")]) -> ConversationSnapshot {
    let byID = Dictionary(users.map { ($0.id, $0) }) { first, _ in first }
    return SnapshotBuilder.listSnapshot(entry: entry, users: byID, settings: ChatSettings())
  }

  static func snapshot(_ text: String, _ activity: Timestamp?, revision: Int64 = 1, size: Int = 1) -> ConversationSnapshot {
    snapshot(entry(text, activity, revision: revision, size: size))
  }

  /// A page; where it does not reach the end something lies behind it.
  static func page(
    _ entries: [ListPage.Entry], users: [UserRecord] = [user("bob")], reachedEnd: Bool = false, next: String = "next"
  ) -> ListPage {
    ListPage(entries: entries, users: users, next: reachedEnd ? nil : id(next))
  }
}
