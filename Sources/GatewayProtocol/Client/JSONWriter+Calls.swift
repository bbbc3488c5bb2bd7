import ChatModel
import JSON

// The params of a client's calls, under the names that `CallShape` reads.
extension JSONWriter {
  /// Writes the members of a call's params.
  mutating func params(of call: ChatCall) {
    switch call {
    case .operation(.inConversation(let id, .getThread)):
      // Asked for by the message under which it hangs.
      let root = ThreadRoot(of: id)
      field("conversation", (root?.conversation ?? id).text)
      field("message", root?.message.text ?? "")
    case .operation(.inConversation(let id, let operation)):
      field("conversation", id.text)
      params(of: operation)
    case .operation(.onUser(let id, let operation)):
      field("user", id.text)
      params(of: operation)
    case .operation(.onSelf(let operation)): params(of: operation)
    case .operation(.markAllAsRead): break
    case .create(let id, let new):
      field("conversation", ifPresent: id?.text)
      params(of: new)
    case .sendText(let id, let text, let message):
      field("conversation", id.text)
      field("text", text)
      params(besideBodyOf: message)
    case .editText(let id, let message, let text, let custom):
      field("conversation", id.text)
      field("message", message.text)
      field("text", text)
      patch(custom)
    case .subscribe(let topic, let from):
      field("topic", TopicName.text(of: topic))
      field("from", ifPresent: from)
    case .unsubscribe(let topic): field("topic", TopicName.text(of: topic))
    case .loadMore(let topic, let count):
      field("topic", TopicName.text(of: topic))
      field("count", ifPresent: count.map { Int64($0) })
    }
  }

  private mutating func params(of operation: ConversationOperation) {
    switch operation {
    case .createIfNotExists(let new): params(of: new)
    case .set(let patch): params(of: patch)
    case .deleteFields(let fields): field("fields", fields.map(\.name))
    case .get, .getThread, .delete, .markAsUnread, .markAsTyping, .startTyping, .stopTyping, .unpin: break
    case .send(let message):
      content(message.content)
      params(besideBodyOf: message)
    case .history(let range):
      switch range.start {
      case .newest: break
      case .before(let id): field("before", id.text)
      case .after(let id): field("after", id.text)
      }
      field("limit", range.limit)
    case .markAsRead(let id): field("upTo", ifPresent: id?.text)
    case .getMessage(let id), .deleteMessage(let id), .pin(let id), .dismissReports(let id): field("message", id.text)
    case .addReaction(let id, let emoji), .removeReaction(let id, let emoji):
      field("message", id.text)
      field("emoji", emoji.text)
    case .editMessage(let id, let edit):
      field("message", id.text)
      if let body = edit.content { content(body) }
      patch(edit.custom)
    case .deleteMessageFields(let id, let fields):
      field("message", id.text)
      field("fields", fields.map(\.name))
    case .getParticipant(let user), .deleteParticipant(let user): field("user", user.text)
    case .createParticipant(let user, let patch), .setParticipant(let user, let patch), .editParticipant(let user, let patch):
      field("user", user.text)
      params(of: patch)
    case .deleteParticipantFields(let user, let fields):
      field("user", user.text)
      field("fields", fields.map(\.name))
    case .restrict(let user, let restriction):
      field("user", user.text)
      field("ban", restriction.isBanned)
      field("mute", restriction.isMuted)
      field("reason", ifPresent: restriction.reason)
    case .report(let id, let reason):
      field("message", id.text)
      field("reason", reason)
    case .listReports(let range):
      field("before", ifPresent: range.before?.text)
      field("limit", range.limit)
    case .invite(let users): field("users", users.map(\.text))
    case .listRestrictions(let range), .listInvitees(let range):
      field("after", ifPresent: range.after?.text)
      field("limit", range.limit)
    case .here(let limit, let after):
      field("limit", limit)
      field("after", ifPresent: after?.text)
    }
  }

  private mutating func params(of operation: UserOperation) {
    switch operation {
    case .get, .whereabouts, .muted: break
    case .mute(let user), .unmute(let user): field("user", user.text)
    case .registerDevice(let device):
      field("device", device.token)
      field("gateway", device.gateway.rawValue)
      field("topic", ifPresent: device.topic)
      field("environment", ifPresent: device.environment?.rawValue)
    case .unregisterDevice(let token): field("device", token)
    case .createIfNotExists(let patch), .set(let patch): params(of: patch)
    case .deleteFields(let fields): field("fields", fields.map(\.name))
    }
  }

  private mutating func params(of new: NewConversation) {
    field("type", ifPresent: new.type?.rawValue)
    field("with", ifPresent: new.with?.text)
    params(of: new.fields)
  }

  private mutating func params(besideBodyOf message: OutgoingMessage) {
    field("referencedMessage", ifPresent: message.referenced?.text)
    if !message.custom.isEmpty {
      key("custom")
      custom(message.custom)
    }
    field("clientMessageId", ifPresent: message.clientMessageId)
  }

  // MARK: - Patches

  private mutating func params(of patch: ConversationPatch) {
    self.patch("subject", patch.subject) { $0.string($1) }
    self.patch("photoUrl", patch.photoUrl) { $0.string($1) }
    self.patch("welcomeMessages", patch.welcomeMessages) { $0.strings($1) }
    self.patch(patch.custom)
    params(of: patch.own)
  }

  private mutating func params(of patch: ParticipantPatch) {
    self.patch("access", patch.access) { $0.string($1.rawValue) }
    self.patch("notify", patch.notify) { $0.notify($1) }
  }

  private mutating func params(of patch: UserPatch) {
    field("name", ifPresent: patch.name)
    self.patch("photoUrl", patch.photoUrl) { $0.string($1) }
    self.patch(patch.custom)
    self.patch("locale", patch.locale) { $0.string($1) }
    self.patch("role", patch.role) { $0.string($1) }
    self.patch("email", patch.email) { $0.strings($1) }
    self.patch("phone", patch.phone) { $0.strings($1) }
    self.patch("welcomeMessage", patch.welcomeMessage) { $0.string($1) }
  }

  private mutating func patch<Value>(_ name: StaticString, _ patch: FieldPatch<Value>, _ write: (inout JSONWriter, Value) -> Void) {
    switch patch {
    case .keep: break
    case .reset:
      key(name)
      null()
    case .set(let value):
      key(name)
      write(&self, value)
    }
  }

  private mutating func patch(_ patch: CustomPatch) {
    switch patch {
    case .keep: break
    case .clear:
      key("custom")
      null()
    case .merge(let changes):
      key("custom")
      beginObject()
      for change in changes {
        key(named: change.key)
        optional(change.value) { $0.string($1) }
      }
      endObject()
    }
  }

  private mutating func strings(_ texts: [String]) { list(texts) { $0.string($1) } }

  private mutating func content(_ content: [ContentBlock]) {
    key("content")
    list(content) { $0.block($1) }
  }
}

extension ConversationField {
  fileprivate var name: String {
    switch self {
    case .subject: "subject"
    case .photoUrl: "photoUrl"
    case .welcomeMessages: "welcomeMessages"
    case .custom: "custom"
    case .customKey(let key): "custom.\(key)"
    case .access: "access"
    case .notify: "notify"
    }
  }
}

extension ParticipantField {
  fileprivate var name: String {
    switch self {
    case .access: "access"
    case .notify: "notify"
    }
  }
}

extension MessageField {
  fileprivate var name: String {
    switch self {
    case .custom: "custom"
    case .customKey(let key): "custom.\(key)"
    }
  }
}

extension UserField {
  fileprivate var name: String {
    switch self {
    case .photoUrl: "photoUrl"
    case .custom: "custom"
    case .customKey(let key): "custom.\(key)"
    case .locale: "locale"
    case .role: "role"
    case .email: "email"
    case .phone: "phone"
    case .welcomeMessage: "welcomeMessage"
    }
  }
}
