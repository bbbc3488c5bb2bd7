/// Bounds on a message head, checked while it arrives.
package struct HTTPLimits: Equatable, Sendable {
  /// Bytes from the first of the start line to the last of the empty line; others use 8 to 16 KiB.
  package var maxHeadBytes: Int
  /// Bytes of a request target.
  ///
  /// RFC 9112 §3 asks for at least 8,000; no resource here has a name of that length.
  package var maxTargetBytes: Int
  /// Field lines; browsers send about 20.
  package var maxFields: Int

  /// Makes limits from these bounds.
  package init(maxHeadBytes: Int = 16_384, maxTargetBytes: Int = 4_096, maxFields: Int = 100) {
    self.maxHeadBytes = maxHeadBytes
    self.maxTargetBytes = maxTargetBytes
    self.maxFields = maxFields
  }

  /// The longest method that is looked at: the longest registered one has 17 letters.
  static let maxMethodBytes = 24
}
