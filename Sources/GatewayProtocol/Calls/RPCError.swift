package import ChatModel

/// Every reason for which the gateway answers with an error: those of JSON-RPC and those of the chat.
package enum RPCErrorKind: Hashable, Sendable, CaseIterable {
  /// The text is not JSON (JSON-RPC 2.0 §5.1).
  case parseError
  /// The JSON is not a request.
  case invalidRequest
  /// There is no such method, or not yet.
  case methodNotFound
  case chat(ChatErrorKind)

  /// Every reason, as they stand in `docs/protocol.md`.
  package static let allCases: [RPCErrorKind] = [.parseError, .invalidRequest, .methodNotFound] + ChatErrorKind.allCases.map { .chat($0) }

  /// The number on the wire; never changes.
  package var code: Int {
    switch self {
    case .parseError: -32700
    case .invalidRequest: -32600
    case .methodNotFound: -32601
    case .chat(let kind): kind.rawValue
    }
  }

  /// The name that clients compare; never changes.
  package var key: String {
    switch self {
    case .parseError: "parseError"
    case .invalidRequest: "invalidRequest"
    case .methodNotFound: "methodNotFound"
    case .chat(let kind): kind.key
    }
  }

  /// Whether the same call may succeed later.
  package var isTemporary: Bool {
    switch self {
    case .parseError, .invalidRequest, .methodNotFound: false
    case .chat(let kind): kind.isTemporary
    }
  }
}

/// An error as it is answered (JSON-RPC 2.0 §5.1).
package struct RPCError: Error, Hashable, Sendable {
  package let kind: RPCErrorKind
  /// One sentence for people; may change.
  package let message: String
  /// The member or parameter that is at fault.
  package let field: String?
  /// When the call may be tried again, in milliseconds.
  package let retryAfterMs: Int?
  /// What a moderator said for it.
  package let reason: String?

  /// Makes an error.
  package init(_ kind: RPCErrorKind, _ message: String, field: String? = nil, retryAfterMs: Int? = nil, reason: String? = nil) {
    self.kind = kind
    self.message = message
    self.field = field
    self.retryAfterMs = retryAfterMs
    self.reason = reason
  }

  /// The answer to a call that the chat refused.
  package init(_ error: ChatError) {
    self.init(.chat(error.kind), error.message, field: error.field, retryAfterMs: error.retryAfterMs, reason: error.reason)
  }

  /// The JSON is not a request.
  package static func invalidRequest(_ message: String, field: String? = nil) -> RPCError {
    RPCError(.invalidRequest, message, field: field)
  }

  /// The id is the one of a request that is not answered yet; answered with the id `null`.
  package static let idInFlight = RPCError.invalidRequest("A request with this id is not answered yet", field: "id")

  /// There is no such method, or not yet.
  package static let methodNotFound = RPCError(.methodNotFound, "There is no such method")
}
