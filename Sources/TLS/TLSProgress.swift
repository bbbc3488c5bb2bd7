/// What one call of a session did.
package struct TLSProgress: Equatable, Sendable {
  /// What the session waits for.
  package enum State: Equatable, Sendable {
    /// All that came is used; more has to come.
    case needsInput
    /// The output has no room: send it, and call again with the rest of the input.
    case outputFull
    /// The place for plaintext is full: use it, and call again with the rest of the input.
    case plaintextFull
    /// The peer has said that it sends no more (`close_notify`); sending goes on.
    case ended
    /// It cannot go on.
    case failed(TLSFailure)
  }

  /// How much of the input was used.
  package var consumed = 0
  /// How much plaintext came out.
  package var plaintext = 0
  /// How much of the output is filled and is to be sent.
  package var output = 0
  /// What comes next.
  package var state = State.needsInput

  /// Nothing done.
  package init() {}
}
