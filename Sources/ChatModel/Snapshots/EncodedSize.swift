// The most bytes that snapshots take on the wire, for the bound of a page. A page that is larger than it was reckoned would count
// against its reader.

extension String {
  /// The bytes of the text as JSON: quotes and backslashes take two, control characters up to six.
  package var encodedSize: Int {
    utf8.reduce(2) { size, byte in
      switch byte {
      case 0x22, 0x5C: size + 2
      case 0..<0x20: size + 6
      default: size + 1
      }
    }
  }
}

extension CustomFields {
  /// The bytes of the object as JSON.
  package var encodedSize: Int { entries.reduce(2) { $0 + $1.key.encodedSize + $1.value.encodedSize + 2 } }
}

extension UserSnapshot {
  /// The most bytes of the user as JSON.
  package var encodedSize: Int {
    140 + id.text.encodedSize + name.encodedSize + role.encodedSize + (photoUrl?.encodedSize ?? 0) + (locale?.encodedSize ?? 0)
      + custom.encodedSize + (welcomeMessage?.encodedSize ?? 0) + (lastActiveAt == nil ? 0 : 40)
  }
}

extension MessageSnapshot {
  /// The most bytes of the message as JSON; its text stands in it twice.
  package var encodedSize: Int {
    400 + conversation.text.encodedSize + (sender?.encodedSize ?? 0) + custom.encodedSize + content.encodedSize
      + reactions.encodedSize + (referencedMessage?.encodedSize ?? 0) + (thread?.encodedSize ?? 0)
  }
}

extension ThreadSnapshot {
  /// The most bytes of the thread as JSON.
  package var encodedSize: Int { 100 + conversation.text.encodedSize }
}

extension ReferencedMessageSnapshot {
  /// The most bytes of the quoted message as JSON.
  package var encodedSize: Int {
    400 + conversation.text.encodedSize + (sender?.encodedSize ?? 0) + custom.encodedSize + content.encodedSize
      + reactions.encodedSize
  }
}

extension ConversationSnapshot {
  /// The most bytes of the conversation as JSON.
  package var encodedSize: Int {
    650 + 2 * id.text.encodedSize + (subject?.encodedSize ?? 0) + (photoUrl?.encodedSize ?? 0) + custom.encodedSize
      + welcomeMessages.reduce(0) { $0 + $1.encodedSize + 1 } + (lastMessage?.encodedSize ?? 0)
      + (pinnedMessage?.encodedSize ?? 0)
  }
}

extension [ReactionSnapshot] {
  /// The most bytes of the reactions as JSON.
  package var encodedSize: Int { reduce(0) { $0 + $1.emoji.text.encodedSize + 70 } }
}
