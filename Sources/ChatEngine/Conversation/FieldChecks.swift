import ChatModel

/// The rules that the fields of calls on a conversation have to keep (`docs/protocol.md`, Methods).
enum FieldChecks {
  /// Checks what a call changes of a conversation.
  static func check(_ patch: ConversationPatch) throws(ChatError) {
    if case .set(let subject) = patch.subject, isLonger(subject, than: ChatSettings.maxNameLength) {
      throw .tooLarge("subject", "must have at most \(ChatSettings.maxNameLength) characters")
    }
    if case .set(let address) = patch.photoUrl, !isWebAddress(address) {
      throw .invalid("photoUrl", "must be an http or https address")
    }
    if case .set(let messages) = patch.welcomeMessages {
      guard messages.count <= ChatSettings.maxWelcomeMessages else {
        throw .tooLarge("welcomeMessages", "must have at most \(ChatSettings.maxWelcomeMessages) entries")
      }
      guard !messages.contains(where: { isLonger($0, than: ChatSettings.maxWelcomeLength) }) else {
        throw .tooLarge("welcomeMessages", "must have at most \(ChatSettings.maxWelcomeLength) characters each")
      }
    }
  }

  /// Checks a message's body, and what it holds by the rights of its sender.
  static func check(_ content: [ContentBlock], by caller: Caller, maxTextLength: Int) throws(ChatError) {
    guard let text = content.plain else {
      let permissions = caller.kind == .app ? nil : caller.permissions
      do throws(ContentFault) {
        return try ContentCheck.check(content, maxTextLength: maxTextLength, permissions: permissions)
      } catch {
        throw error.error(in: "content")
      }
    }
    guard text.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw .invalid("text", "must not be empty or white space")
    }
    guard !isLonger(text, than: maxTextLength) else { throw .tooLarge("text", "must have at most \(maxTextLength) characters") }
  }

  /// Checks custom fields as they would be after a call.
  static func check(_ custom: CustomFields) throws(ChatError) {
    guard custom.isWithinBounds else {
      throw .tooLarge("custom", "must have at most \(CustomFields.maxKeys) keys and \(CustomFields.maxBytes) bytes")
    }
  }

  /// Checks the key of a repeatable send.
  static func checkClientMessageId(_ text: String) throws(ChatError) {
    guard !isLonger(text, than: ChatSettings.maxClientMessageIdLength) else {
      throw .tooLarge("clientMessageId", "must have at most \(ChatSettings.maxClientMessageIdLength) characters")
    }
  }

  /// Checks why a user is restricted or a message reported.
  static func checkReason(_ text: String?) throws(ChatError) {
    guard let text, isLonger(text, than: ChatSettings.maxReasonLength) else { return }
    throw .tooLarge("reason", "must have at most \(ChatSettings.maxReasonLength) characters")
  }

  /// Whether a text has more Unicode scalars than allowed; looks at no more of them than it must.
  static func isLonger(_ text: String, than limit: Int) -> Bool {
    // A scalar has one to four bytes.
    let bytes = text.utf8.count
    if bytes <= limit { return false }
    return bytes > limit * 4 || text.unicodeScalars.count > limit
  }

  private static func isWebAddress(_ text: String) -> Bool {
    let start = text.prefix(8).lowercased()
    let scheme = start.hasPrefix("https://") ? 8 : start.hasPrefix("http://") ? 7 : 0
    let rest = text.unicodeScalars.dropFirst(scheme)
    return scheme > 0 && !rest.isEmpty && !rest.contains { $0.properties.isWhitespace || $0.properties.generalCategory == .control }
  }
}
