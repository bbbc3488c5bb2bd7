import ChatModel
import GatewayProtocol
import Observability
import TestSupport
import Testing

@testable import Gateway

@Test func `answers are counted by what the operator can do about them`() {
  let ours: [RPCErrorKind: OperationOutcome] = [
    .chat(.internal): .failed, .chat(.unavailable): .unavailable, .chat(.rateLimited): .limited, .chat(.limitExceeded): .limited,
    .chat(.cancelled): .cancelled,
  ]
  for kind in RPCErrorKind.allCases { expectEqual(OperationOutcome(kind), ours[kind] ?? .refused, kind.key) }
  expectEqual(OperationOutcome(.success(.done)), .ok, "a result")
  expectEqual(OperationOutcome(.failure(RPCError(.parseError, ""))), .refused, "an error")
}
