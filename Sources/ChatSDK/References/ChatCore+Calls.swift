import ChatModel

// Calls with their answers.
extension ChatCore {
  func conversation(_ id: String, _ field: String = "conversation") throws(ChatError) -> ConversationID {
    do throws(IdentifierViolation) { return try ConversationID(id) } catch { throw .invalid(field, error.sentence) }
  }

  func user(_ id: String, _ field: String = "user") throws(ChatError) -> UserID {
    do throws(IdentifierViolation) { return try UserID(id) } catch { throw .invalid(field, error.sentence) }
  }

  func optionalUser(_ id: String?, _ field: String) throws(ChatError) -> UserID? {
    guard let id else { return nil }
    return try user(id, field)
  }

  /// Calls on a conversation.
  @discardableResult
  func call(_ conversation: String, _ operation: ConversationOperation) async throws(ChatError) -> ChatReply {
    try await call(.operation(.inConversation(try self.conversation(conversation), operation)))
  }

  /// Makes a conversation, or joins it.
  func create(
    _ id: String?, type: ChannelType?, with user: String?, _ fields: ConversationFields
  ) async throws(ChatError) -> ConversationRef {
    var conversation: ConversationID?
    if let id { conversation = try self.conversation(id) }
    var with: UserID?
    if let user { with = try self.user(user, "with") }
    let new = NewConversation(type: type?.model, with: with, isServerMade: conversation == nil, fields: fields.patch)
    guard case .created(let created, isNew: _) = try await call(.create(conversation, new)) else { throw .unexpectedReply }
    return ConversationRef(id: created.id.text, chat: self)
  }

  /// The message with this id, or one that is never there.
  func message(_ id: String, in conversation: ConversationID) -> MessageID { MessageID(id, in: conversation) ?? .unknown(id) }
}

extension ChatError {
  static let unexpectedReply = ChatError(.internalError, "The answer is that to another call")
}

/// What `set` and its like change: nil leaves a field as it is.
struct ConversationFields {
  var subject: String?
  var photoUrl: String?
  var welcomeMessages: [String]?
  var custom: [String: String?]?
  var access: ConversationAccess?
  var notify: NotificationSettings?

  init() {}

  init(
    subject: String?, photoUrl: String?, welcomeMessages: [String]?, custom: [String: String]?, access: ConversationAccess?,
    notify: NotificationSettings?
  ) {
    self.subject = subject
    self.photoUrl = photoUrl
    self.welcomeMessages = welcomeMessages
    self.custom = custom?.mapValues { $0 }
    self.access = access
    self.notify = notify
  }

  var patch: ConversationPatch {
    var patch = ConversationPatch()
    patch.subject = FieldPatch(subject)
    patch.photoUrl = FieldPatch(photoUrl)
    patch.welcomeMessages = FieldPatch(welcomeMessages)
    patch.custom = CustomPatch(custom)
    patch.own = ParticipantPatch(access: FieldPatch(access?.model), notify: FieldPatch(notify?.model))
    return patch
  }
}

extension FieldPatch {
  /// Nil leaves the field as it is.
  init(_ value: Value?) { self = value.map { .set($0) } ?? .keep }
}

extension CustomPatch {
  /// Nil leaves all keys; a key with nil is removed.
  init(_ changes: [String: String?]?) {
    guard let changes else {
      self = .keep
      return
    }
    // In the order of their keys, so that equal calls are equal bytes.
    self = .merge(changes.sorted { $0.key < $1.key }.map { Change(key: $0.key, value: $0.value) })
  }
}
