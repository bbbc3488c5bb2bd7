/// Bytes of which the socket takes some and leaves the rest.
///
/// What is sent is let go of: it never takes more room than what is not.
struct UnsentBytes: Equatable {
  private var bytes: [UInt8] = []
  /// How many bytes at the front are sent.
  private var sent = 0

  /// How many bytes wait.
  var count: Int { bytes.count - sent }

  /// How many bytes are held, those that are sent among them.
  var heldCount: Int { bytes.count }

  /// Adds bytes behind those that wait.
  mutating func append(_ more: UnsafeRawBufferPointer) {
    guard !more.isEmpty else { return }
    // So each byte moves once on average.
    if sent > 0, sent >= count {
      bytes.removeFirst(sent)
      sent = 0
    }
    bytes.append(contentsOf: more)
  }

  /// The socket took some of what waits.
  mutating func sent(_ count: Int) {
    sent += max(0, min(count, self.count))
    if sent == bytes.count { (bytes, sent) = ([], 0) }
  }

  /// Lends what waits.
  func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[sent...])) }
  }
}
