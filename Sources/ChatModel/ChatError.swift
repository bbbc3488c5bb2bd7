/// The closed list of reasons for which a call is refused (`docs/protocol.md`, Errors).
package enum ChatErrorKind: Int, Hashable, Sendable, CaseIterable {
  case invalidParams = -32602
  case `internal` = -32603
  case cancelled = -32800
  case unauthenticated = 100
  case forbidden = 101
  case notParticipant = 102
  case readOnly = 103
  case notFound = 104
  case syncDisabled = 105
  case conflict = 106
  case tooLarge = 107
  case limitExceeded = 108
  case rateLimited = 109
  case unavailable = 110
  case restricted = 111

  /// The name that clients compare; never changes.
  package var key: String {
    switch self {
    case .invalidParams: "invalidParams"
    case .internal: "internalError"
    case .cancelled: "requestCancelled"
    case .unauthenticated: "unauthenticated"
    case .forbidden: "forbidden"
    case .notParticipant: "notParticipant"
    case .readOnly: "readOnly"
    case .notFound: "notFound"
    case .syncDisabled: "syncDisabled"
    case .conflict: "conflict"
    case .tooLarge: "tooLarge"
    case .limitExceeded: "limitExceeded"
    case .rateLimited: "rateLimited"
    case .unavailable: "unavailable"
    case .restricted: "restricted"
    }
  }

  /// Whether the same call may succeed later.
  package var isTemporary: Bool { self == .rateLimited || self == .unavailable }
}

/// Why a call was refused: a code for programs, a sentence for people.
package struct ChatError: Error, Hashable, Sendable {
  package let kind: ChatErrorKind
  /// One sentence for people; may change.
  package let message: String
  /// The parameter that is at fault, as it is named on the wire.
  package let field: String?
  /// When the call may be tried again, in milliseconds.
  package let retryAfterMs: Int?
  /// What a moderator said for it.
  package let reason: String?

  package init(_ kind: ChatErrorKind, _ message: String, field: String? = nil, retryAfterMs: Int? = nil, reason: String? = nil) {
    self.kind = kind
    self.message = message
    self.field = field
    self.retryAfterMs = retryAfterMs
    self.reason = reason
  }

  /// A parameter is missing, of the wrong type or out of range.
  package static func invalid(_ field: String, _ reason: String) -> ChatError {
    ChatError(.invalidParams, "\(field) \(reason)", field: field)
  }

  /// A text is longer than its limit, in Unicode scalars or as the reason says.
  package static func tooLarge(_ field: String, _ reason: String) -> ChatError { ChatError(.tooLarge, "\(field) \(reason)", field: field) }

  /// The caller is not in the conversation, or there is none.
  package static let notParticipant = ChatError(.notParticipant, "You are not a participant of this conversation")

  /// The caller may read but not write.
  package static let readOnly = ChatError(.readOnly, "You may only read in this conversation")

  /// An object of custom fields is too big.
  package static let customTooLarge = tooLarge(
    "custom", "must have at most \(CustomFields.maxKeys) keys and \(CustomFields.maxBytes) bytes")

  /// The store did not answer; nothing was changed.
  package static let unavailable = ChatError(.unavailable, "The store is not available; nothing was changed", retryAfterMs: 1000)
}
