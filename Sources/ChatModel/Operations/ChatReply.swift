/// What a call that succeeded answers.
package enum ChatReply: Hashable, Sendable {
  case done
  case conversation(ConversationSnapshot?)
  case created(ConversationSnapshot, isNew: Bool)
  /// Nil where the message of a repeated send was deleted since.
  case sent(MessageSnapshot?, isDuplicate: Bool)
  /// Newest first; `loadedAll` speaks of the asked direction.
  case history([MessageSnapshot], loadedAll: Bool)
  case message(MessageSnapshot?)
  case participant(ParticipantSnapshot?)
  case user(UserSnapshot?)
  /// In the order of the users' ids.
  case restrictions([RestrictionSnapshot], loadedAll: Bool)
  /// Newest first.
  case reports([ReportSnapshot], loadedAll: Bool)
  /// In the order in which they were named.
  case invited([InvitedSnapshot])
  /// In the order of the users' ids.
  case invitees([InviteeSnapshot], loadedAll: Bool)
  /// Some of the participants who are online, and how many they are in all.
  case present([UserSnapshot], count: Int, loadedAll: Bool)
  case conversations([ConversationID])
  /// Ordered by their ids.
  case muted([UserID])
  case count(Int)
  case loadedAll(Bool)
}
