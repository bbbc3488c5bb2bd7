/// Why a compressed message is not taken.
package enum InflateFailure: Error, Equatable, Sendable {
  /// It becomes larger than this many bytes.
  case tooLong(limit: Int)
  /// It is no deflate stream, or ends inside a block.
  case malformed
  /// The system has no memory for it.
  case outOfMemory
}
