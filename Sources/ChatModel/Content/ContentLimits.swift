/// The bounds of a message's body beside the length of its text (`docs/content.md`, Limits).
package enum ContentLimits {
  /// Nodes that are no plain text.
  package static let maxElements = 500
  /// Nodes inside each other, within the block.
  package static let maxDepth = 8
  /// Mentions: each is shown by a name, which is longer than what was sent.
  package static let maxMentions = 50
  /// Characters of an address.
  package static let maxURLLength = 2_000
  /// Characters of an emoji, or of a custom one with its colons.
  package static let maxEmojiLength = 50
  /// Characters of a code block's language, of an action's name, and of the type of a node of an unknown kind.
  package static let maxNameLength = 64
}
