/// The message under which a thread hangs: a thread is a conversation of its own, whose id says which message that is.
package struct ThreadRoot: Hashable, Sendable {
  /// The conversation of the message; never a thread itself.
  package let conversation: ConversationID
  package let message: MessageID

  /// Names a message; nil where its conversation is a thread: there is one level only.
  package init?(_ message: MessageID, in conversation: ConversationID) {
    guard !conversation.isThread else { return nil }
    self.conversation = conversation
    // One that is no message's id is that of a message that is never there.
    self.message = message.number > 0 ? message : MessageID(0, in: conversation)
  }

  /// Reads the id of a thread; nil for the ids of all other conversations.
  package init?(of thread: ConversationID) {
    guard thread.isThread else { return nil }
    let rest = thread.text.unicodeScalars.dropFirst(Self.prefix.unicodeScalars.count)
    let name = rest.dropLast(Self.suffixScalars)
    let suffix = String(rest.suffix(Self.suffixScalars))
    guard suffix.utf8.first == UInt8(ascii: "."), let conversation = try? ConversationID(String(name)) else { return nil }
    let text = String(suffix.dropFirst())
    let none = MessageID(0, in: conversation)
    guard let message = text == none.text ? none : MessageID(text, in: conversation) else { return nil }
    self.init(message, in: conversation)
  }

  /// The id of the thread: longer than ids may be that others choose, so that it fits whatever the conversation's is.
  package var thread: ConversationID {
    ConversationID(stored: "\(Self.prefix)\(conversation.text).\(message.text)")
  }

  /// How the ids of threads begin.
  package static let prefix = "thread."
  /// The longest id of a thread, in Unicode scalars.
  package static let maxScalars = prefix.unicodeScalars.count + Identifier.maxScalars + suffixScalars

  /// A full stop and the id of a message.
  private static let suffixScalars = 1 + MessageID.letters
}

extension ConversationID {
  /// Whether the id is one that only a thread may have.
  package var isThread: Bool { text.utf8.starts(with: ThreadRoot.prefix.utf8) }
}
