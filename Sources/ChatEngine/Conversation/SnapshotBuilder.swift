package import ChatModel

/// Makes snapshots of records.
package enum SnapshotBuilder {
  /// Bytes that a participant is reckoned with beside texts and custom fields.
  private static let itemOverhead = 400

  /// The reply to `conversation.history`, from the store's page; ends at `ChatSettings.maxPageBytes`.
  package static func history(conversation: ConversationID, range: MessageRange, page: MessagePage, own: OwnReactions) -> ChatReply {
    let users = Dictionary(page.users.map { ($0.id, $0) }) { first, _ in first }
    let quoted = Dictionary(page.quoted.map { ($0.number, $0) }) { first, _ in first }
    let messages = page.messages.map { record in
      message(record, in: conversation, quoted: record.referenced.flatMap { quoted[$0] }) { users[$0]?.snapshot ?? erased($0) }
        .seen(with: own)
    }
    let kept = bounded(messages, range)
    return .history(Array(kept), loadedAll: page.reachedEnd && kept.count == messages.count)
  }

  /// The reply to `presence.here`, from the users that the store knows; ends at `ChatSettings.maxPageBytes`.
  package static func present(_ page: PresentPage, users: [UserRecord]) -> ChatReply {
    let known = Dictionary(users.map { ($0.id, $0) }) { first, _ in first }
    let snapshots = page.users.map { known[$0]?.snapshot ?? erased($0) }
    let kept = snapshots.prefix(fitting(snapshots.map(\.encodedSize)))
    return .present(Array(kept), count: page.count, loadedAll: page.reachedEnd && kept.count == snapshots.count)
  }

  /// An entry of a list of conversations; `users` are those of the page.
  package static func listSnapshot(entry: ListPage.Entry, users: [UserID: UserRecord], settings: ChatSettings) -> ConversationSnapshot {
    let shown = { (record: MessageRecord, quoted: MessageRecord?) in
      message(record, in: entry.record.id, quoted: quoted) { users[$0]?.snapshot ?? erased($0) }.seen(with: entry.own)
    }
    return ConversationSnapshot(
      record: entry.record, viewer: entry.viewer, lastMessage: entry.lastMessage.map { shown($0, entry.quoted) },
      unreadMessageCount: min(entry.unread, ChatSettings.maxUnread),
      everyoneReadUntil: settings.receipts.contains(entry.record.type) ? entry.lowestReadUntil : nil,
      pinnedMessage: entry.pinned.map { shown($0, entry.pinnedQuoted) })
  }

  /// A message with its quote, unless that was deleted, as those see it who reacted to nothing.
  static func message(
    _ record: MessageRecord, in conversation: ConversationID, quoted: MessageRecord?, user: (UserID) -> UserSnapshot
  ) -> MessageSnapshot {
    var snapshot = MessageSnapshot(
      id: MessageID(record.number, in: conversation), conversation: conversation, type: record.type, sender: record.sender.map(user),
      custom: record.custom, createdAt: record.createdAt, editedAt: record.editedAt,
      referencedMessage: quoted.flatMap { $0.isDeleted ? nil : reference($0, in: conversation, user: user) }, origin: record.origin,
      content: record.content.naming { user($0).name }, reactions: [ReactionSnapshot](record.reactions))
    if let thread = record.thread, let root = ThreadRoot(snapshot.id, in: conversation) {
      snapshot.thread = thread.snapshot(of: root.thread)
    }
    return snapshot
  }

  /// The bytes that a participant is reckoned with in a snapshot.
  static func byteCount(_ user: UserRecord?) -> Int {
    itemOverhead + (user?.snapshot.encodedSize ?? 0)
  }

  private static func reference(
    _ record: MessageRecord, in conversation: ConversationID, user: (UserID) -> UserSnapshot
  ) -> ReferencedMessageSnapshot {
    ReferencedMessageSnapshot(
      id: MessageID(record.number, in: conversation), conversation: conversation, type: record.type, sender: record.sender.map(user),
      custom: record.custom, createdAt: record.createdAt, editedAt: record.editedAt,
      referencedMessageId: record.referenced.map { MessageID($0, in: conversation) }, origin: record.origin,
      content: record.content.naming { user($0).name }, reactions: [ReactionSnapshot](record.reactions))
  }

  /// A user without a row: the rows of guests are erased some day, their messages stay.
  static func erased(_ user: UserID) -> UserSnapshot { UserRecord(id: user, name: user.text, createdAt: 0).snapshot }

  /// The messages that fit, counted from the cursor on.
  private static func bounded(_ messages: [MessageSnapshot], _ range: MessageRange) -> ArraySlice<MessageSnapshot> {
    switch range {
    case .newest, .before:
      return messages.prefix(fitting(messages.lazy.map(\.encodedSize)))
    case .after:
      return messages.suffix(fitting(messages.reversed().lazy.map(\.encodedSize)))
    }
  }

  private static func fitting(_ sizes: some Sequence<Int>) -> Int {
    var bytes = 0
    var count = 0
    for size in sizes {
      bytes += size
      // One item is shown, however long.
      if bytes > ChatSettings.maxPageBytes, count > 0 { break }
      count += 1
    }
    return count
  }
}
