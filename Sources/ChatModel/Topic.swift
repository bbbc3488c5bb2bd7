/// What a connection can subscribe to.
package enum Topic: Hashable, Sendable {
  case conversation(ConversationID)
  case messages(ConversationID)
  case participants(ConversationID)
  case typing(ConversationID)
  /// The caller's own list; the label tells several apart.
  case conversations(label: String?)
  /// The caller's own: to which conversations they are invited.
  case invitations
  case user(UserID)
  case online(UserID)

  /// The kind without the id: a label for metrics.
  package var kind: TopicKind {
    switch self {
    case .conversation: .conversation
    case .messages: .messages
    case .participants: .participants
    case .typing: .typing
    case .conversations: .conversations
    case .invitations: .invitations
    case .user: .user
    case .online: .online
    }
  }
}

/// The kinds of topic, as they begin a topic's name.
package enum TopicKind: String, Hashable, Sendable, CaseIterable {
  case conversation
  case messages
  case participants
  case typing
  case conversations
  case invitations
  case user
  case online
}

/// What a subscriber is shown of a topic.
///
/// Nil inside means: nothing to see, by absence or for want of membership.
package enum TopicSnapshot: Hashable, Sendable {
  case conversation(ConversationSnapshot?)
  /// Newest first; `loadedAll` says that nothing older exists.
  case messages([MessageSnapshot]?, loadedAll: Bool)
  /// Last joined first.
  case participants([ParticipantSnapshot]?, loadedAll: Bool)
  case typing(TypingSnapshot?)
  /// Last active first.
  case conversations([ConversationSnapshot], loadedAll: Bool)
  /// Last invited first.
  case invitations([InvitationSnapshot])
  case user(UserSnapshot?)
  case online(OnlineSnapshot?)

  /// Whether there is nothing to see.
  package var isNull: Bool {
    switch self {
    case .conversation(nil), .messages(nil, loadedAll: _), .participants(nil, loadedAll: _), .typing(nil), .user(nil), .online(nil): true
    case .conversation, .messages, .participants, .typing, .conversations, .invitations, .user, .online: false
    }
  }
}
