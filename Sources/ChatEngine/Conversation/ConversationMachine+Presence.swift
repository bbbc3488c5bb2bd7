import ChatModel

/// Who takes part and is online.
extension ConversationMachine {
  /// The page that is answered to the caller.
  mutating func here(limit: Int, after user: UserID?, by caller: Caller, at moment: Moment) throws(ChatError) -> PresentPage {
    _ = try requireInside(caller)
    guard (1...Self.maxHere).contains(limit) else { throw .invalid("limit", "must be from 1 to \(Self.maxHere)") }
    return present.page(of: state.roster, limit: limit, after: user, at: moment)
  }

  /// The most users of one `presence.here`.
  private static let maxHere = 100
}
