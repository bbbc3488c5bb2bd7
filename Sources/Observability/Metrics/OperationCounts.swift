/// How a request was answered.
package enum OperationOutcome: Int, Sendable, CaseIterable {
  /// With a result.
  case ok
  /// With an error that is the caller's: a mistake, or something that is not theirs to do.
  case refused
  /// With 108 or 109: there was too much of it.
  case limited
  /// With 110: the store was away.
  case unavailable
  /// The client took it back.
  case cancelled
  /// With -32603: a mistake of ours.
  case failed

  /// The label in metrics.
  package var label: String {
    switch self {
    case .ok: "ok"
    case .refused: "refused"
    case .limited: "limited"
    case .unavailable: "unavailable"
    case .cancelled: "cancelled"
    case .failed: "failed"
    }
  }
}

/// Requests by method: how many, how they ended, how long they took.
package struct OperationCounts: Sendable, Equatable {
  /// One method's numbers.
  package struct Method: Sendable, Equatable {
    /// Requests by `OperationOutcome.rawValue`.
    private var outcomes = [UInt64](repeating: 0, count: OperationOutcome.allCases.count)
    /// Microseconds from a request's arrival to its queued reply.
    package private(set) var duration = Histogram(.duration)

    /// Requests answered in a way.
    package func count(_ outcome: OperationOutcome) -> UInt64 { outcomes[outcome.rawValue] }

    fileprivate mutating func record(_ outcome: OperationOutcome, microseconds: UInt64) {
      outcomes[outcome.rawValue] &+= 1
      duration.observe(microseconds)
    }

    fileprivate mutating func merge(_ other: Method) {
      for index in outcomes.indices { outcomes[index] &+= other.outcomes[index] }
      duration.merge(other.duration)
    }
  }

  /// The methods by their index; the last one is every method that there is not.
  package private(set) var methods: [Method]

  /// Nothing counted yet for a number of methods.
  package init(methods: Int) {
    self.methods = Array(repeating: Method(), count: max(0, methods) + 1)
  }

  /// A request was answered; nil and an index that is not there are counted as `other`: names of clients make no series.
  package mutating func record(method: Int?, _ outcome: OperationOutcome, microseconds: UInt64) {
    let other = methods.count - 1
    let index = method.map { (0..<other).contains($0) ? $0 : other } ?? other
    methods[index].record(outcome, microseconds: microseconds)
  }

  /// Adds what another loop counted; with another number of methods its indexes mean something else, and it is left out.
  mutating func merge(_ other: OperationCounts) {
    guard methods.count == other.methods.count else { return }
    for index in methods.indices { methods[index].merge(other.methods[index]) }
  }
}
