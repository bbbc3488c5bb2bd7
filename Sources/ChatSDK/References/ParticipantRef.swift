import ChatModel

/// A reference to a user's place in a conversation.
public struct ParticipantRef: Hashable, Sendable {
  public let userId: String
  public let conversationId: String
  private let chat: ChatCore

  init(userId: String, conversationId: String, chat: ChatCore) {
    self.userId = userId
    self.conversationId = conversationId
    self.chat = chat
  }

  public static func == (left: ParticipantRef, right: ParticipantRef) -> Bool {
    left.userId == right.userId && left.conversationId == right.conversationId && left.chat === right.chat
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(userId)
    hasher.combine(conversationId)
  }

  /// The place; nil where the user is no participant.
  public func get() async throws(ChatError) -> ParticipantSnapshot? {
    guard case .participant(let participant) = try await call({ .getParticipant($0) }) else { throw .unexpectedReply }
    return participant.map(ParticipantSnapshot.init)
  }

  /// Adds the user; nothing changes where they are a participant.
  public func createIfNotExists(access: ConversationAccess? = nil, notify: NotificationSettings? = nil) async throws(ChatError) {
    _ = try await call { .createParticipant($0, Self.patch(access, notify)) }
  }

  /// Adds the user, or changes their place.
  public func set(access: ConversationAccess? = nil, notify: NotificationSettings? = nil) async throws(ChatError) {
    _ = try await call { .setParticipant($0, Self.patch(access, notify)) }
  }

  /// Changes the user's place; fails where they have none.
  public func edit(access: ConversationAccess? = nil, notify: NotificationSettings? = nil) async throws(ChatError) {
    _ = try await call { .editParticipant($0, Self.patch(access, notify)) }
  }

  /// Removes the user from the conversation; one who is not in it is no error.
  public func delete() async throws(ChatError) { _ = try await call { .deleteParticipant($0) } }

  /// Resets `access` or `notify`.
  public func deleteFields(_ fields: String...) async throws(ChatError) {
    var all: [ParticipantField] = []
    for name in fields {
      switch name {
      case "access": all.append(.access)
      case "notify": all.append(.notify)
      default: throw .invalid("fields", "may hold only access or notify")
      }
    }
    _ = try await call { [all] in .deleteParticipantFields($0, all) }
  }

  private static func patch(_ access: ConversationAccess?, _ notify: NotificationSettings?) -> ParticipantPatch {
    ParticipantPatch(access: FieldPatch(access?.model), notify: FieldPatch(notify?.model))
  }

  private func call(_ operation: (UserID) -> ConversationOperation) async throws(ChatError) -> ChatReply {
    try await chat.call(conversationId, operation(try chat.user(userId)))
  }
}
