package import ChatEngine
package import ChatModel

/// Records that the contract's cases are made of.
package enum StoreContractRecords {
  /// A user's id.
  package static func user(_ name: String) -> UserID { UserID(stored: name) }

  /// A conversation's id.
  package static func id(_ name: String) -> ConversationID { ConversationID(stored: name) }

  /// A conversation without any optional field.
  package static func conversation(_ name: String, revision: Int64 = 1) -> ConversationRecord {
    var record = ConversationRecord(id: id(name), type: .group, pair: nil, createdAt: 1_000)
    record.revision = revision
    record.clock = 1_000 + revision
    return record
  }

  /// A conversation with every field set.
  package static func fullConversation(_ name: String) -> ConversationRecord {
    let pair = DirectPair(user("zoë"), user("adam"))
    var record = ConversationRecord(id: id(name), type: .direct, pair: pair, createdAt: 7)
    record.subject = "Subject with \"quotes\", a zero \0 and 🧵"
    record.photoUrl = ""
    record.welcomeMessages = ["", "two\nlines", "\\"]
    record.custom = CustomFields([(key: "", value: "empty key"), (key: "b", value: ""), (key: "a", value: "\u{1}")])
    record.revision = .max
    record.clock = 8
    return record
  }

  /// A user with every field set.
  package static func fullUser(_ name: String) -> UserRecord {
    var record = UserRecord(id: user(name), name: "Ünal", createdAt: 5)
    record.role = "admin"
    record.photoUrl = "https://example.org/p.png"
    record.locale = "tr-TR"
    record.custom = CustomFields([(key: "k", value: "v")])
    record.welcomeMessage = "Hi"
    record.email = ["a@example.org", "b@example.org"]
    record.phone = ["+90"]
    record.changedAt = 6
    record.revision = 9
    record.revokedAt = 4
    record.lastActiveAt = 8
    record.muted = [user("x"), user("é")]
    return record
  }

  /// A participant who joined at a time.
  package static func participant(_ name: String, joinedAt: Timestamp = 1_000, marker: MessageNumber = 0) -> ParticipantRecord {
    ParticipantRecord(
      user: user(name), access: .readWrite, notify: .always, joinedAt: joinedAt, joinedRevision: 1, readMarker: marker,
      readUntil: joinedAt, isMarkedUnread: false, revision: 1)
  }

  /// A message that nobody changed since it was sent.
  package static func message(
    _ number: MessageNumber, from sender: String? = "ann", at createdAt: Timestamp? = nil, text: String = "Hello",
    answering referenced: MessageNumber? = nil
  ) -> MessageRecord {
    MessageRecord(
      number: number, revision: number, type: sender == nil ? .system : .user, sender: sender.map(user), custom: CustomFields(),
      createdAt: createdAt ?? 1_000 + number, editedAt: nil, referenced: referenced, origin: .web, content: ContentBlock.plain(text),
      isDeleted: false)
  }

  /// What is reacted with.
  package static let emoji = ReactionEmoji(stored: "\u{1F44D}")

  /// A reaction to a message.
  package static func reaction(_ message: MessageNumber, by name: String, _ emoji: ReactionEmoji = emoji) -> Reaction {
    Reaction(message: message, user: user(name), emoji: emoji)
  }

  /// The tombstone of a message.
  package static func tombstone(of message: MessageRecord, revision: Int64) -> MessageRecord {
    var message = message
    message.delete(at: revision)
    return message
  }

  /// The id of the thread under a message.
  package static func thread(_ number: MessageNumber, in name: String) -> ConversationID {
    ThreadRoot(MessageID(number, in: id(name)), in: id(name))?.thread ?? id(name)
  }

  /// A thread with so many replies.
  package static func thread(_ number: MessageNumber, in name: String, replies: Int, revision: Int64 = 1) -> ConversationRecord {
    var record = conversation(thread(number, in: name).text, revision: revision)
    record.replyCount = replies
    return record
  }

  /// What is forbidden a user.
  package static func restriction(_ name: String, isBanned: Bool = false, isMuted: Bool = false, reason: String? = nil) -> RestrictionRecord
  {
    RestrictionRecord(user: user(name), isBanned: isBanned, isMuted: isMuted, reason: reason, setBy: user("mod"), setAt: 7)
  }

  /// A complaint about a message.
  package static func report(
    _ revision: Int64, on message: MessageNumber, by reporter: String, sender: String? = "bob", text: String = "Hello"
  ) -> ReportRecord {
    ReportRecord(
      revision: revision, message: message, sender: sender.map(user), text: text, reporter: user(reporter), reason: "r", reportedAt: 8)
  }

  /// That a user is invited.
  package static func invitation(_ name: String, by inviter: String, at time: Timestamp) -> InvitationRecord {
    InvitationRecord(user: user(name), invitedBy: user(inviter), invitedAt: time)
  }

  /// A send key.
  package static func key(_ sender: String, _ clientMessageId: String, hash: Int64 = 1) -> SendKey {
    SendKey(sender: user(sender), clientMessageId: clientMessageId, requestHash: hash)
  }
}
