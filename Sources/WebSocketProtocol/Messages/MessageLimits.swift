/// Bounds on what a peer may send in one message.
package struct MessageLimits: Equatable, Sendable {
  /// Payload bytes of a message, over all its fragments.
  package let maxMessageBytes: Int
  /// Frames of a message: without it, empty continuations go on for ever under any byte limit.
  package let maxFragments: Int

  /// Payload bytes of a compressed message, over all its fragments: as many as the worst compressor needs for the largest message.
  ///
  /// zlib's own bound (`deflateBound`) for a stream of any settings. What comes out is bounded by ``maxMessageBytes`` itself.
  package var maxCompressedBytes: Int {
    // The sum of a bound and less than a sixth of it overflows only where nobody means a bound.
    let (bytes, overflows) = maxMessageBytes.addingReportingOverflow(maxMessageBytes / 8 + maxMessageBytes / 64 + 64)
    return overflows ? .max : bytes
  }

  /// Makes limits from these bounds; one below zero counts as zero.
  package init(maxMessageBytes: Int, maxFragments: Int = 1_024) {
    self.maxMessageBytes = max(0, maxMessageBytes)
    self.maxFragments = max(0, maxFragments)
  }
}
