import ChatModel
import GatewayProtocol
import TestSupport
import Testing

@Suite struct EncodedSizeTests {
  /// What is reckoned bounds a page, so it must never be less than what is sent.
  @Test func `no snapshot is larger than it is reckoned`() throws {
    let room = try ConversationID("room \u{1F600}")
    for (pattern, count) in [("", 1), ("a", 1), ("\u{1}", 500), ("\"\\", 300), ("é", 400)] {
      let text = String(repeating: pattern, count: count)
      var ann = UserRecord(id: try UserID("ann"), name: "Ann" + text, createdAt: .max)
      ann.custom = CustomFields([("key" + text, text), ("other", text)])
      ann.photoUrl = "https://a/" + text
      ann.locale = "en"
      ann.welcomeMessage = text
      let emoji = ReactionEmoji(stored: ":\(text.prefix(48)):")
      let reactions = Array(repeating: ReactionSnapshot(emoji: emoji, count: .max), count: 50)
      let quote = ReferencedMessageSnapshot(
        id: MessageID(.max, in: room), conversation: room, type: .system, sender: ann.snapshot, custom: ann.custom, createdAt: .max,
        editedAt: .max, referencedMessageId: MessageID(.max, in: room), origin: .import, content: ContentBlock.plain(text),
        reactions: reactions)
      var message = MessageSnapshot(
        id: MessageID(.max, in: room), conversation: room, type: .system, sender: ann.snapshot, custom: ann.custom, createdAt: .max,
        editedAt: .max, referencedMessage: quote, origin: .import, content: ContentBlock.plain(text),
        reactions: reactions)
      let root = try #require(ThreadRoot(message.id, in: room))
      message.thread = ThreadSnapshot(conversation: root.thread, replyCount: .max, lastReplyAt: .max)
      var record = ConversationRecord(id: root.thread, type: .unknown, pair: nil, createdAt: .max)
      record.subject = text
      record.photoUrl = text
      record.welcomeMessages = [text, text]
      record.custom = ann.custom
      let viewer = ParticipantRecord(user: ann.id, access: .readWrite, notify: .mentionsOnly, joinedAt: .max, revision: 1)
      let conversation = ConversationSnapshot(
        record: record, viewer: viewer, lastMessage: message, unreadMessageCount: 1_000, everyoneReadUntil: .max,
        pinnedMessage: message)
      let frame = 200
      let invitation = InvitationSnapshot(record: record, invitedBy: ann.snapshot, invitedAt: .max)
      let cases: [(String, Int, TopicSnapshot)] = [
        ("message", message.encodedSize, .messages([message], loadedAll: false)),
        ("conversation", conversation.encodedSize, .conversations([conversation], loadedAll: false)),
        ("invitation", invitation.encodedSize, .invitations([invitation])), ("user", ann.snapshot.encodedSize, .user(ann.snapshot)),
      ]
      let restriction = RestrictionSnapshot(
        user: ann.snapshot,
        record: RestrictionRecord(user: ann.id, isBanned: false, isMuted: false, reason: text, setBy: ann.id, setAt: .max))
      let reply = ServerMessage(to: RequestID(1), .success(ChatReply.restrictions([restriction], loadedAll: false))).encoded.count
      expect(reply <= restriction.encodedSize + frame, "a restriction: \(reply) sent, \(restriction.encodedSize) reckoned")
      let report = ReportSnapshot(
        record: ReportRecord(
          revision: .max, message: .max, sender: ann.id, text: text, reporter: ann.id, reason: text, reportedAt: .max),
        in: room, sender: ann.snapshot, reporter: ann.snapshot)
      let invitee = InviteeSnapshot(user: ann.snapshot, record: InvitationRecord(user: ann.id, invitedBy: ann.id, invitedAt: .max))
      let replies: [(Int, ChatReply)] = [
        (report.encodedSize, .reports([report], loadedAll: false)), (invitee.encodedSize, .invitees([invitee], loadedAll: false)),
      ]
      for (reckoned, reply) in replies {
        let sent = ServerMessage(to: RequestID(1), .success(reply)).encoded.count
        expect(sent <= reckoned + frame, "\(text.prefix(3).debugDescription): \(sent) sent, \(reckoned) reckoned")
      }
      for (name, reckoned, snapshot) in cases {
        let sent = ServerMessage.encodedSubscription(.conversations(label: nil), snapshot).count
        expect(sent <= reckoned + frame, "\(name) of \(text.prefix(3).debugDescription): \(sent) sent, \(reckoned) reckoned")
      }
    }
  }
}
