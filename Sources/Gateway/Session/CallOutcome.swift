import ChatModel
import GatewayProtocol
import Observability

extension OperationOutcome {
  /// How an answer is counted.
  init(_ outcome: Result<CallResult, RPCError>) {
    switch outcome {
    case .success: self = .ok
    case .failure(let error): self.init(error.kind)
    }
  }

  /// How an error is counted: apart is what the operator can do something about.
  init(_ kind: RPCErrorKind) {
    switch kind {
    case .parseError, .invalidRequest, .methodNotFound: self = .refused
    case .chat(let kind): self.init(kind)
    }
  }

  private init(_ kind: ChatErrorKind) {
    switch kind {
    case .internal: self = .failed
    case .cancelled: self = .cancelled
    case .limitExceeded, .rateLimited: self = .limited
    case .unavailable: self = .unavailable
    case .invalidParams, .unauthenticated, .forbidden, .notParticipant, .readOnly, .notFound, .syncDisabled, .conflict, .tooLarge,
      .restricted:
      self = .refused
    }
  }
}
