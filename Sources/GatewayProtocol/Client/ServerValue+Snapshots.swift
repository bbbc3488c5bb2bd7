import ChatModel
import JSON

// The objects of `docs/protocol.md`, Objects.
extension ServerValue {
  func userSnapshot() throws(MalformedMessage) -> UserSnapshot {
    UserSnapshot(
      id: try required("id").user(), name: try required("name").string(), role: try required("role").string(),
      photoUrl: try optional("photoUrl")?.string(), locale: try optional("locale")?.string(), custom: try required("custom").custom(),
      welcomeMessage: try optional("welcomeMessage")?.string(), lastActiveAt: try optional("lastActiveAt")?.integer())
  }

  func restriction() throws(MalformedMessage) -> RestrictionSnapshot {
    RestrictionSnapshot(
      user: try required("user").userSnapshot(), isBanned: try required("ban").bool(), isMuted: try required("mute").bool(),
      reason: try optional("reason")?.string(), setBy: try required("setBy").user(), setAt: try required("setAt").integer())
  }

  func report() throws(MalformedMessage) -> ReportSnapshot {
    let conversation = try required("conversation").conversation()
    return ReportSnapshot(
      id: .find(try required("id").string(), in: conversation), conversation: conversation,
      message: .find(try required("message").string(), in: conversation), sender: try optional("sender")?.userSnapshot(),
      text: try required("text").string(), reporter: try required("reporter").userSnapshot(), reason: try required("reason").string(),
      reportedAt: try required("reportedAt").integer())
  }

  /// Reads a participant, or who may become one and so has no time of joining.
  func invited() throws(MalformedMessage) -> InvitedSnapshot {
    if optional("joinedAt") != nil { return .participant(try participantSnapshot()) }
    return .pending(try required("user").userSnapshot(), try required("access").choice())
  }

  func invitee() throws(MalformedMessage) -> InviteeSnapshot {
    InviteeSnapshot(
      user: try required("user").userSnapshot(), invitedBy: try required("invitedBy").user(), invitedAt: try required("invitedAt").integer()
    )
  }

  func invitation() throws(MalformedMessage) -> InvitationSnapshot {
    InvitationSnapshot(
      conversation: try required("conversation").conversation(), type: try required("type").choice(),
      subject: try optional("subject")?.string(), photoUrl: try optional("photoUrl")?.string(),
      invitedBy: try required("invitedBy").userSnapshot(), invitedAt: try required("invitedAt").integer())
  }

  func onlineSnapshot() throws(MalformedMessage) -> OnlineSnapshot {
    OnlineSnapshot(user: try required("user").userSnapshot(), isConnected: try required("isConnected").bool())
  }

  func participantSnapshot() throws(MalformedMessage) -> ParticipantSnapshot {
    ParticipantSnapshot(
      user: try required("user").userSnapshot(), access: try required("access").choice(), notify: try required("notify").notify(),
      joinedAt: try required("joinedAt").integer())
  }

  func typingSnapshot() throws(MalformedMessage) -> TypingSnapshot {
    if try required("many").bool() { return .many }
    return .few(try required("users").list { (user) throws(MalformedMessage) in try user.userSnapshot() })
  }

  func conversationSnapshot() throws(MalformedMessage) -> ConversationSnapshot {
    ConversationSnapshot(
      id: try required("id").conversation(), type: try required("type").choice(), subject: try optional("subject")?.string(),
      photoUrl: try optional("photoUrl")?.string(),
      welcomeMessages: try required("welcomeMessages").list { (text) throws(MalformedMessage) in try text.string() },
      custom: try required("custom").custom(), createdAt: try required("createdAt").integer(),
      joinedAt: try required("joinedAt").integer(), access: try required("access").choice(), notify: try required("notify").notify(),
      lastMessage: try optional("lastMessage")?.messageSnapshot(),
      unreadMessageCount: try required("unreadMessageCount").count(), isUnread: try required("isUnread").bool(),
      readUntil: try required("readUntil").integer(), everyoneReadUntil: try optional("everyoneReadUntil")?.integer(),
      pinnedMessage: try optional("pinnedMessage")?.messageSnapshot())
  }

  func messageSnapshot() throws(MalformedMessage) -> MessageSnapshot {
    let conversation = try required("conversation").conversation()
    var message = MessageSnapshot(
      id: .find(try required("id").string(), in: conversation), conversation: conversation, type: try required("type").choice(),
      sender: try optional("sender")?.userSnapshot(), custom: try required("custom").custom(),
      createdAt: try required("createdAt").integer(), editedAt: try optional("editedAt")?.integer(),
      referencedMessage: try optional("referencedMessage")?.referencedMessage(), origin: try required("origin").choice(),
      content: try required("content").blocks(), reactions: try reactions())
    message.thread = try optional("thread")?.threadSnapshot()
    return message
  }

  private func threadSnapshot() throws(MalformedMessage) -> ThreadSnapshot {
    ThreadSnapshot(
      conversation: try required("conversation").conversation(), replyCount: try required("replyCount").count(),
      lastReplyAt: try optional("lastReplyAt")?.integer())
  }

  private func referencedMessage() throws(MalformedMessage) -> ReferencedMessageSnapshot {
    let conversation = try required("conversation").conversation()
    return ReferencedMessageSnapshot(
      id: .find(try required("id").string(), in: conversation), conversation: conversation, type: try required("type").choice(),
      sender: try optional("sender")?.userSnapshot(), custom: try required("custom").custom(),
      createdAt: try required("createdAt").integer(), editedAt: try optional("editedAt")?.integer(),
      referencedMessageId: .find(try optional("referencedMessageId")?.string(), in: conversation),
      origin: try required("origin").choice(), content: try required("content").blocks(), reactions: try reactions())
  }

  private func reactions() throws(MalformedMessage) -> [ReactionSnapshot] {
    try optional("reactions")?.list { (reaction) throws(MalformedMessage) in
      ReactionSnapshot(
        emoji: ReactionEmoji(stored: try reaction.required("emoji").string()), count: try reaction.required("count").count(),
        currentUserReacted: try reaction.required("currentUserReacted").bool())
    } ?? []
  }

  // MARK: - Topics

  func topicSnapshot(of topic: Topic) throws(MalformedMessage) -> TopicSnapshot {
    let snapshot = optional("snapshot")
    switch topic {
    case .conversation: return .conversation(try snapshot?.conversationSnapshot())
    case .messages:
      let messages = try snapshot?.list { (message) throws(MalformedMessage) in try message.messageSnapshot() }
      return .messages(messages, loadedAll: try required("loadedAll").bool())
    case .participants:
      let participants = try snapshot?.list { (participant) throws(MalformedMessage) in try participant.participantSnapshot() }
      return .participants(participants, loadedAll: try required("loadedAll").bool())
    case .typing: return .typing(try snapshot?.typingSnapshot())
    case .conversations:
      let conversations = try required("snapshot").list { (entry) throws(MalformedMessage) in try entry.conversationSnapshot() }
      return .conversations(conversations, loadedAll: try required("loadedAll").bool())
    case .invitations:
      return .invitations(try required("snapshot").list { (entry) throws(MalformedMessage) in try entry.invitation() })
    case .user: return .user(try snapshot?.userSnapshot())
    case .online: return .online(try snapshot?.onlineSnapshot())
    }
  }
}
