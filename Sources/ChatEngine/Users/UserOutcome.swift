import ChatModel

/// What comes of a change of a user once the store kept it.
enum UserOutcome: Hashable {
  case reply(CallID, ChatReply)
  case admit(SessionRecord, CallID)
  case revoke(CallID)
  /// It was noted that the user is active.
  case activity
  /// The user's mute list changed.
  case muted(CallID)
  /// The connection that asked is gone.
  case nothing

  /// Whether the change is of what others are not shown.
  var isOwnMatter: Bool {
    switch self {
    case .activity, .muted: true
    case .reply, .admit, .revoke, .nothing: false
    }
  }

  /// How those who wait learn that the store did not keep it.
  func refusal(_ error: ChatError) -> [EngineAction] {
    switch self {
    case .reply(let call, _), .revoke(let call), .muted(let call): [.reply(call, .failure(error))]
    case .admit(_, let call): [.refuseSession(call, error)]
    case .activity, .nothing: []
    }
  }
}
