import ChatModel

extension CallShape {
  static let participantGet = CallShape(conversation, user) { .of($0, .getParticipant($1)) }

  static let participantDelete = CallShape(conversation, user) { .of($0, .deleteParticipant($1)) }

  static let participantCreateIfNotExists = placing { .createParticipant($0, $1) }

  static let participantSet = placing { .setParticipant($0, $1) }

  static let participantEdit = placing { .editParticipant($0, $1) }

  static let participantDeleteFields = CallShape(conversation, user, required("fields", ReadLists.participantFields)) {
    .of($0, .deleteParticipantFields($1, $2))
  }

  private static func placing(_ operation: @escaping @Sendable (UserID, ParticipantPatch) -> ConversationOperation) -> CallShape {
    CallShape(conversation, user, patch("access", Read.choice), patch("notify", Read.notify)) {
      .of($0, operation($1, ParticipantPatch(access: $2, notify: $3)))
    }
  }

  /// The user whom a call is about.
  static let user = required("user", Read.user)
}
