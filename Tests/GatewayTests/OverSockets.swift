import Dispatch
import Testing

/// The tests with real sockets, one after the other: their clients block the few threads that run tests.
@Suite(.serialized, .timeLimit(.minutes(3))) enum OverSockets {
  /// Runs what blocks on a thread of its own, so that the tasks beside it go on.
  static func blocking<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async { continuation.resume(with: Result { try body() }) }
    }
  }
}
