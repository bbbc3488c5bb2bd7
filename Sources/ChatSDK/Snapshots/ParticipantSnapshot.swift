import ChatModel

/// What a participant may do in a conversation.
public enum ConversationAccess: String, Hashable, Sendable, CaseIterable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case Read
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case ReadWrite

  init(_ access: Access) {
    switch access {
    case .read: self = .Read
    case .readWrite: self = .ReadWrite
    }
  }

  var model: Access {
    switch self {
    case .Read: .read
    case .ReadWrite: .readWrite
    }
  }
}

/// Of which messages a participant is notified.
public enum NotificationSettings: Hashable, Sendable, CaseIterable {
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case True
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case False
  // swift-format-ignore: AlwaysUseLowerCamelCase
  case MentionsOnly

  init(_ notify: Notify) {
    switch notify {
    case .always: self = .True
    case .never: self = .False
    case .mentionsOnly: self = .MentionsOnly
    }
  }

  var model: Notify {
    switch self {
    case .True: .always
    case .False: .never
    case .MentionsOnly: .mentionsOnly
    }
  }
}

/// A user's place in a conversation.
public struct ParticipantSnapshot: Hashable, Sendable {
  public let user: UserSnapshot
  public let access: ConversationAccess
  public let notify: NotificationSettings
  /// Unix milliseconds.
  public let joinedAt: Int64

  init(_ participant: ChatModel.ParticipantSnapshot) {
    user = UserSnapshot(participant.user)
    access = ConversationAccess(participant.access)
    notify = NotificationSettings(participant.notify)
    joinedAt = participant.joinedAt
  }
}

/// What is forbidden a user in a conversation, as moderators see it.
public struct RestrictionSnapshot: Hashable, Sendable {
  public let user: UserSnapshot
  public let ban: Bool
  public let mute: Bool
  public let reason: String?
  /// Who set it.
  public let setBy: String
  /// Unix milliseconds.
  public let setAt: Int64

  init(_ restriction: ChatModel.RestrictionSnapshot) {
    user = UserSnapshot(restriction.user)
    ban = restriction.isBanned
    mute = restriction.isMuted
    reason = restriction.reason
    setBy = restriction.setBy.text
    setAt = restriction.setAt
  }
}

/// Who is typing in a conversation; never the viewer.
public struct TypingSnapshot: Hashable, Sendable {
  /// Whether more people are typing than are named.
  public let many: Bool
  /// Who is typing, the one who has typed longest first; nil where they are many.
  public let users: [UserSnapshot]?

  init(_ typing: ChatModel.TypingSnapshot) {
    switch typing {
    case .few(let users):
      many = false
      self.users = users.map(UserSnapshot.init)
    case .many:
      many = true
      users = nil
    }
  }
}
