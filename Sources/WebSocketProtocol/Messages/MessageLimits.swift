/// Bounds on what a peer may send in one message.
package struct MessageLimits: Equatable, Sendable {
  /// Payload bytes of a message, over all its fragments.
  package let maxMessageBytes: Int
  /// Frames of a message: without it, empty continuations go on for ever under any byte limit.
  package let maxFragments: Int

  /// Makes limits from these bounds; one below zero counts as zero.
  package init(maxMessageBytes: Int, maxFragments: Int = 1_024) {
    self.maxMessageBytes = max(0, maxMessageBytes)
    self.maxFragments = max(0, maxFragments)
  }
}
