/// A call as a value: a frame becomes one, the SDK makes them, a test makes them.
package enum ChatOperation: Hashable, Sendable {
  case inConversation(ConversationID, ConversationOperation)
  case onUser(UserID, UserOperation)
  /// The same on the caller's own user.
  case onSelf(UserOperation)
  /// Marks every conversation of the caller as read.
  case markAllAsRead
}

/// A call on one conversation, its participants or its messages (`docs/protocol.md`, Methods).
package enum ConversationOperation: Hashable, Sendable {
  case createIfNotExists(NewConversation)
  case set(ConversationPatch)
  case deleteFields([ConversationField])
  case get
  case delete
  case send(OutgoingMessage)
  case history(HistoryRange)
  case markAsRead(upTo: MessageID?)
  case markAsUnread
  case markAsTyping
  case startTyping
  case stopTyping
  case getMessage(MessageID)
  /// The conversation as the thread that it is, or may become.
  case getThread
  case editMessage(MessageID, MessageEdit)
  case deleteMessage(MessageID)
  case deleteMessageFields(MessageID, [MessageField])
  case addReaction(MessageID, ReactionEmoji)
  case removeReaction(MessageID, ReactionEmoji)
  case pin(MessageID)
  case unpin
  case getParticipant(UserID)
  case createParticipant(UserID, ParticipantPatch)
  case setParticipant(UserID, ParticipantPatch)
  case editParticipant(UserID, ParticipantPatch)
  case deleteParticipant(UserID)
  case deleteParticipantFields(UserID, [ParticipantField])
  case restrict(UserID, Restriction)
  case listRestrictions(UserRange)
  case report(MessageID, reason: String)
  case listReports(ReportRange)
  /// Removes the reports of a message.
  case dismissReports(MessageID)
  case invite([UserID])
  case listInvitees(UserRange)
  /// Who takes part and is online: so many, ordered by their ids, behind one.
  case here(limit: Int, after: UserID?)
}

/// What `conversation.createIfNotExists` makes.
///
/// The fields count only where the conversation, or the place in it, is new.
package struct NewConversation: Hashable, Sendable {
  package var type: ConversationType?
  /// The other user of a direct conversation.
  package var with: UserID?
  /// Whether the server drew the id, because the caller named none.
  package var isServerMade: Bool
  package var fields: ConversationPatch

  package init(
    type: ConversationType? = nil, with: UserID? = nil, isServerMade: Bool = false, fields: ConversationPatch = ConversationPatch()
  ) {
    self.type = type
    self.with = with
    self.isServerMade = isServerMade
    self.fields = fields
  }
}

/// Changes of a conversation and of the caller's own place in it.
package struct ConversationPatch: Hashable, Sendable {
  package var subject: FieldPatch<String> = .keep
  package var photoUrl: FieldPatch<String> = .keep
  package var welcomeMessages: FieldPatch<[String]> = .keep
  package var custom: CustomPatch = .keep
  package var own = ParticipantPatch()

  package init() {}

  /// Whether something other than the caller's own place changes.
  package var changesConversation: Bool {
    subject != .keep || photoUrl != .keep || welcomeMessages != .keep || custom != .keep
  }
}

/// Changes of a place in a conversation.
package struct ParticipantPatch: Hashable, Sendable {
  package var access: FieldPatch<Access>
  package var notify: FieldPatch<Notify>

  package init(access: FieldPatch<Access> = .keep, notify: FieldPatch<Notify> = .keep) {
    self.access = access
    self.notify = notify
  }
}

/// The fields that `conversation.deleteFields` resets.
package enum ConversationField: Hashable, Sendable {
  case subject
  case photoUrl
  case welcomeMessages
  case custom
  case customKey(String)
  case access
  case notify
}

/// The fields that `participant.deleteFields` resets.
package enum ParticipantField: Hashable, Sendable, CaseIterable {
  case access
  case notify
}

/// The fields that `message.deleteFields` resets.
package enum MessageField: Hashable, Sendable {
  case custom
  case customKey(String)
}

/// A message on its way in.
package struct OutgoingMessage: Hashable, Sendable {
  package var content: [ContentBlock]
  /// The message that this one answers.
  package var referenced: MessageID?
  package var custom: CustomFields
  /// Makes a retry of this send the same message; at most 64 scalars.
  package var clientMessageId: String?

  package init(content: [ContentBlock], referenced: MessageID? = nil, custom: CustomFields = CustomFields(), clientMessageId: String? = nil)
  {
    self.content = content
    self.referenced = referenced
    self.custom = custom
    self.clientMessageId = clientMessageId
  }
}

/// What `message.edit` changes.
package struct MessageEdit: Hashable, Sendable {
  package var content: [ContentBlock]?
  package var custom: CustomPatch

  package init(content: [ContentBlock]? = nil, custom: CustomPatch = .keep) {
    self.content = content
    self.custom = custom
  }
}

/// A piece of a conversation's history.
package struct HistoryRange: Hashable, Sendable {
  /// Where the piece begins; the message itself is not part of it.
  package enum Start: Hashable, Sendable {
    case newest
    case before(MessageID)
    case after(MessageID)
  }

  package var start: Start
  /// 1 to 100.
  package var limit: Int

  package init(start: Start, limit: Int) {
    self.start = start
    self.limit = limit
  }
}

/// A call on a user.
package enum UserOperation: Hashable, Sendable {
  case get
  /// The conversations in which the user is online.
  case whereabouts
  /// The user's own list of whom they do not see: one more, one less, or as it is.
  case mute(UserID)
  case unmute(UserID)
  case muted
  case createIfNotExists(UserPatch)
  case set(UserPatch)
  case deleteFields([UserField])
  case registerDevice(PushDevice)
  /// The device with this token is told of nothing any more.
  case unregisterDevice(String)
}

/// Changes of a user.
package struct UserPatch: Hashable, Sendable {
  /// 1 to 200 scalars; needed where the user is new.
  package var name: String?
  package var photoUrl: FieldPatch<String> = .keep
  package var custom: CustomPatch = .keep
  package var locale: FieldPatch<String> = .keep
  package var role: FieldPatch<String> = .keep
  package var email: FieldPatch<[String]> = .keep
  package var phone: FieldPatch<[String]> = .keep
  package var welcomeMessage: FieldPatch<String> = .keep

  package init() {}
}

/// The fields that `user.deleteFields` resets.
package enum UserField: Hashable, Sendable {
  case photoUrl
  case custom
  case customKey(String)
  case locale
  case role
  case email
  case phone
  case welcomeMessage
}
