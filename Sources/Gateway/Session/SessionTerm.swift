import Crypto

/// The end of a session, as its token has it (`docs/opening.md`).
///
/// A token that is over when it comes is taken within the leeway, because the clocks of signer and gateway may differ; its session then lives
/// until the leeway is over, so that there is time to refresh it.
struct SessionTerm: Hashable {
  /// What is due.
  enum Step: Hashable {
    case wait
    /// Tell the client of the end.
    case announce
    /// Close the connection.
    case end
  }

  /// When the token ends, seconds since the epoch.
  let expiresAt: Int64
  /// When the connection is closed.
  private let endsAt: Int64
  private var isAnnounced = false

  /// How long ahead the end is announced, seconds.
  static let noticeSeconds: Int64 = 60
  /// How long after the end the connection is closed, seconds.
  static let graceSeconds: Int64 = 5

  /// Makes the term of a session whose token was taken at a time.
  init(expiresAt: Int64, takenAt now: Int64) {
    self.expiresAt = expiresAt
    endsAt = expiresAt &+ (now < expiresAt ? Self.graceSeconds : TokenPolicy.standardLeewaySeconds)
  }

  /// What is due at a time; the end is announced once.
  mutating func step(at now: Int64) -> Step {
    if now >= endsAt { return .end }
    guard now >= expiresAt &- Self.noticeSeconds, !isAnnounced else { return .wait }
    isAnnounced = true
    return .announce
  }

  /// When it has to be looked at next, seconds since the epoch.
  var nextDeadline: Int64 { isAnnounced ? endsAt : expiresAt &- Self.noticeSeconds }
}
