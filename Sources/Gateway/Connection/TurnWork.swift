/// How much work the bytes of one connection may cause before the loop serves the others.
///
/// Counted in bytes that are gone through, some two nanoseconds each; what a peer can ask for with few bytes counts as many. What is left over
/// when it is used up waits for the next flush.
struct TurnWork: Equatable {
  /// What one go may cost: about a millisecond at the very most, and more than ordinary clients send at once.
  static let most = 262_144
  /// A frame, whatever is in it: it may be answered with an error.
  private static let frameCost = 512
  /// A call in a batch.
  private static let callCost = 1_024
  /// An HTTP request: it is parsed, decided on and answered.
  private static let requestCost = 8_192
  /// A token whose signature is checked.
  private static let tokenCost = 32_768

  private var left = most

  /// Whether the others come first now.
  var isUsedUp: Bool { left <= 0 }

  /// A frame is next, after so many bytes of frames before it; false where the others come first.
  mutating func frame(after count: Int) -> Bool {
    bytes(count)
    guard left > 0 else { return false }
    left -= Self.frameCost
    return true
  }

  /// Bytes were gone through, or came out of compressed ones.
  mutating func bytes(_ count: Int) { left -= min(count, Self.most) }

  /// The calls of a batch are next.
  mutating func calls(_ count: Int) { left -= Self.callCost * min(count, Self.most / Self.callCost) }

  /// An HTTP request is next.
  mutating func request() { left -= Self.requestCost }

  /// The page of metrics is made next: it takes longer than a go may, so the others come before whatever follows.
  mutating func page() { left -= Self.most }

  /// A token is checked next.
  mutating func token() { left -= Self.tokenCost }
}
