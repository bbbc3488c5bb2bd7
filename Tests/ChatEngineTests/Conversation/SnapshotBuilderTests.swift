import ChatEngine
import ChatModel
import TestSupport
import Testing

@Test func `pages and list entries become snapshots`() {
  let room = ConversationID(stored: "room")
  func message(_ number: Int64, quotes: Int64? = nil, text: String = "x", isDeleted: Bool = false) -> MessageRecord {
    MessageRecord(
      number: number, revision: number, type: .user, sender: UserID(stored: "ann"), custom: CustomFields(), createdAt: number,
      editedAt: nil,
      referenced: quotes, origin: .web, content: ContentBlock.plain(text), isDeleted: isDeleted)
  }
  let ann = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 1)
  let like = ReactionEmoji(stored: "\u{1F44D}")
  let own = OwnReactions([Reaction(message: 2, user: ann.id, emoji: like)])
  func history(_ range: MessageRange, _ page: MessagePage) -> ([MessageSnapshot], Bool) {
    guard case .history(let messages, let loadedAll) = SnapshotBuilder.history(conversation: room, range: range, page: page, own: own)
    else {
      return ([], false)
    }
    return (messages, loadedAll)
  }
  var quoted = [message(2, quotes: 1), message(1, isDeleted: true)]
  quoted[0].reactions = [ReactionCount(emoji: like, count: 4)]
  let page = MessagePage(messages: [message(5, quotes: 2), message(4, quotes: 1)], quoted: quoted, users: [ann], reachedEnd: true)
  let (messages, loadedAll) = history(.newest, page)
  expectEqual(messages.map(\.id.number), [5, 4], "newest first")
  expectEqual(messages[0].sender?.name, "Ann", "the sender")
  expectEqual(messages[0].referencedMessage?.referencedMessageId, MessageID(1, in: room), "one level of quotes")
  expectEqual(messages[1].referencedMessage, nil, "a deleted quote is none")
  expect(loadedAll, "the end")
  let liked = [ReactionSnapshot(emoji: like, count: 4, currentUserReacted: true)]
  expectEqual(messages[0].referencedMessage?.reactions, liked, "the viewer's own reaction")

  let long = String(repeating: "x", count: 50_000)
  let heavy = MessagePage(messages: [3, 2, 1].map { message($0, text: long) }, quoted: [], users: [], reachedEnd: true)
  expectEqual(history(.before(4), heavy).0.map(\.id.number), [3, 2], "the newest that fit")
  expectEqual(history(.after(0), heavy).0.map(\.id.number), [2, 1], "the oldest that fit")
  expectEqual(history(.newest, heavy).1, false, "more is left")
  expectEqual(history(.newest, heavy).0[0].sender?.name, "ann", "an erased sender is shown by the id")
  let huge = MessagePage(messages: [message(1, text: long + long + long)], quoted: [], users: [], reachedEnd: true)
  expectEqual(history(.newest, huge).0.count, 1, "one message always fits")

  let record = ConversationRecord(id: room, type: .group, pair: nil, createdAt: 1)
  let viewer = ParticipantRecord(user: ann.id, joinedAt: 1, revision: 1)
  var entry = ListPage.Entry(
    record: record, viewer: viewer, lastMessage: message(5, quotes: 2), quoted: quoted[0], unread: 2_000, lowestReadUntil: 7,
    pinned: quoted[0], pinnedQuoted: message(1), own: own)
  var settings = ChatSettings()
  let full = SnapshotBuilder.listSnapshot(entry: entry, users: [ann.id: ann], settings: settings)
  expectEqual([full.unreadMessageCount, Int(full.everyoneReadUntil ?? 0)], [1_000, 7], "counts")
  expectEqual(full.lastMessage?.referencedMessage?.sender?.name, "Ann", "the quote's sender")
  expectEqual([full.lastMessage?.referencedMessage?.reactions, full.pinnedMessage?.reactions], [liked, liked], "own reactions")
  expectEqual(full.pinnedMessage?.referencedMessage?.id.number, 1, "what the pinned message answers")
  settings.receipts = []
  (entry.lastMessage, entry.pinned) = (nil, nil)
  let bare = SnapshotBuilder.listSnapshot(entry: entry, users: [:], settings: settings)
  expect(bare.everyoneReadUntil == nil && bare.lastMessage == nil && bare.pinnedMessage == nil, "without receipts and messages")
}

@Test func `a page of who is here ends where it has too many bytes, and shows who has no row by the id`() {
  let ids = (0..<3).map { UserID(stored: "u\($0)") }
  let page = PresentPage(users: ids, count: 9, reachedEnd: true)
  let gone = UserRecord(id: ids[1], name: "u1", createdAt: 0)
  for (bytes, count) in [(10, 3), (ChatSettings.maxPageBytes, 1)] {
    var users = [ids[0], ids[2]].map { UserRecord(id: $0, name: "x", createdAt: 1) }
    users[0].welcomeMessage = String(repeating: "w", count: bytes)
    let shown = [users[0], gone, users[1]].map(\.snapshot)
    expectEqual(
      SnapshotBuilder.present(page, users: users), .present(Array(shown.prefix(count)), count: 9, loadedAll: count == 3), "\(bytes) bytes")
  }
}
