package import ChatModel

/// The canonical names of topics: a topic has exactly one, which is its subscription's id too (`docs/protocol.md`, Topics).
package enum TopicName {
  /// The longest label of a list of conversations, in Unicode scalars.
  package static let maxLabelScalars = 64

  /// The name of a topic.
  package static func text(of topic: Topic) -> String {
    switch topic {
    case .conversation(let id), .messages(let id), .participants(let id), .typing(let id): "\(topic.kind.rawValue):\(id.text)"
    case .user(let id), .online(let id): "\(topic.kind.rawValue):\(id.text)"
    case .invitations: TopicKind.invitations.rawValue
    case .conversations(nil): TopicKind.conversations.rawValue
    case .conversations(let label?): "\(TopicKind.conversations.rawValue)#\(label)"
    }
  }

  /// Reads a name; throws `invalidParams` for the field `topic`.
  package static func parse(_ text: String) throws(ChatError) -> Topic {
    // Bytes, because a combining mark after the colon would be one character with it.
    guard let end = text.utf8.firstIndex(where: { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "#") }) else {
      switch TopicKind(rawValue: text) {
      case .conversations: return .conversations(label: nil)
      case .invitations: return .invitations
      default: throw unknown
      }
    }
    guard let kind = TopicKind(rawValue: String(text[..<end])) else { throw unknown }
    let rest = String(text[text.utf8.index(after: end)...])
    if text.utf8[end] == UInt8(ascii: "#") {
      guard kind == .conversations else { throw unknown }
      return .conversations(label: try label(rest))
    }
    switch kind {
    case .conversation: return .conversation(try conversation(rest))
    case .messages: return .messages(try conversation(rest))
    case .participants: return .participants(try conversation(rest))
    case .typing: return .typing(try conversation(rest))
    case .user: return .user(try user(rest))
    case .online: return .online(try user(rest))
    case .conversations, .invitations: throw unknown
    }
  }

  private static let field = "topic"
  private static let unknown = ChatError.invalid(
    field, "must be conversations, conversations#label, invitations, or a kind of topic, a colon and an id, as in messages:general")

  private static func conversation(_ text: String) throws(ChatError) -> ConversationID {
    do throws(IdentifierViolation) { return try ConversationID(text) } catch { throw violation("the conversation's id", error) }
  }

  private static func user(_ text: String) throws(ChatError) -> UserID {
    do throws(IdentifierViolation) { return try UserID(text) } catch { throw violation("the user's id", error) }
  }

  private static func label(_ text: String) throws(ChatError) -> String {
    do throws(IdentifierViolation) { try Identifier.check(text) } catch { throw violation("the label", error) }
    guard text.unicodeScalars.count <= maxLabelScalars else {
      throw .invalid(field, "is wrong: the label must have at most \(maxLabelScalars) characters")
    }
    return text
  }

  private static func violation(_ part: String, _ violation: IdentifierViolation) -> ChatError {
    .invalid(field, "is wrong: \(part) \(violation.sentence)")
  }
}
