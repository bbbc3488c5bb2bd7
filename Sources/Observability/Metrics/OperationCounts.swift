/// How a request was answered.
package enum OperationOutcome: UInt8, Sendable, CaseIterable {
  /// With a result.
  case ok
  /// With an error.
  case error

  /// The label in metrics.
  package var label: String {
    switch self {
    case .ok: "ok"
    case .error: "error"
    }
  }
}

/// Requests by method: how many, how they ended, how long they took.
package struct OperationCounts: Sendable, Equatable {
  /// One method's numbers.
  package struct Method: Sendable, Equatable {
    /// Requests answered with a result.
    package fileprivate(set) var ok: UInt64 = 0
    /// Requests answered with an error.
    package fileprivate(set) var error: UInt64 = 0
    /// Microseconds from a request's arrival to its queued reply.
    package fileprivate(set) var duration = Histogram(.duration)

    /// Requests answered in a way.
    package func count(_ outcome: OperationOutcome) -> UInt64 {
      switch outcome {
      case .ok: ok
      case .error: error
      }
    }
  }

  /// The methods by their index.
  package private(set) var methods: [Method]

  /// Nothing counted yet for a number of methods.
  package init(methods: Int) {
    self.methods = Array(repeating: Method(), count: max(0, methods))
  }

  /// A request was answered; an index that is not there is left out.
  package mutating func record(method: Int, _ outcome: OperationOutcome, microseconds: UInt64) {
    guard methods.indices.contains(method) else { return }
    switch outcome {
    case .ok: methods[method].ok &+= 1
    case .error: methods[method].error &+= 1
    }
    methods[method].duration.observe(microseconds)
  }

  mutating func merge(_ other: OperationCounts) {
    for (index, method) in other.methods.enumerated() where methods.indices.contains(index) {
      methods[index].ok &+= method.ok
      methods[index].error &+= method.error
      methods[index].duration.merge(method.duration)
    }
  }
}
