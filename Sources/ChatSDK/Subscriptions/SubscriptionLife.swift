/// What becomes of one subscription: pending, active, and one of two ends.
struct SubscriptionLife<State: SubscriptionState>: Equatable {
  /// What an event changed.
  enum Change: Equatable {
    case nothing
    /// The first snapshot is there.
    case began
    /// Another snapshot is there.
    case changed
    /// A final state is reached.
    case ended
  }

  private(set) var state = State.pending
  /// What `connected` gives: nil while it is open.
  private(set) var connection: Result<State, ChatError>?
  private(set) var isOver = false
  private var sequence: UInt64 = 0

  /// A snapshot came; one that is older than another that came before, or equal to it, is passed over.
  mutating func came(_ active: State, sequence: UInt64) -> Change {
    guard !isOver, sequence > self.sequence else { return .nothing }
    self.sequence = sequence
    guard active != state else { return .nothing }
    state = active
    guard connection == nil else { return .changed }
    connection = .success(active)
    return .began
  }

  /// The subscriber wants no more.
  mutating func unsubscribe() -> Change { end(.unsubscribed, .unsubscribed) }

  /// It cannot go on.
  mutating func fail(_ error: ChatError) -> Change { end(.error(error), error) }

  private mutating func end(_ final: State, _ error: ChatError) -> Change {
    guard !isOver else { return .nothing }
    isOver = true
    state = final
    if connection == nil { connection = .failure(error) }
    return .ended
  }
}
