package import ChatModel

/// Why something did not happen: a code for programs, a sentence for people.
public struct ChatError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The closed list of reasons: those of the gateway by their numbers (`docs/protocol.md`, Errors), and those of the SDK.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    case parseError = -32700
    case invalidRequest = -32600
    case methodNotFound = -32601
    case invalidParams = -32602
    case internalError = -32603
    case requestCancelled = -32800
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

    /// The chat was destroyed, or nobody kept it.
    case destroyed = 1
    /// `initialize()` was not called, or is not done.
    case notInitialized = 2
    /// The subscription has ended.
    case unsubscribed = 3
    /// The connection ended, or there is none; whether the call was done is not known.
    case connectionLost = 4
    /// No answer came in time; whether the call was done is not known.
    case timedOut = 5
    /// A value of the configuration cannot be.
    case invalidConfiguration = 6
  }

  public let code: Code
  /// One sentence for people; may change.
  public let message: String?
  /// The parameter that is at fault.
  public let field: String?
  /// Whether the same call may succeed later.
  public let isTemporary: Bool
  /// When the call may be tried again.
  public let retryAfter: Duration?
  /// What a moderator said for it.
  public let reason: String?

  /// Makes an error.
  public init(_ code: Code, _ message: String? = nil, field: String? = nil, retryAfter: Duration? = nil, reason: String? = nil) {
    self.code = code
    self.message = message
    self.field = field
    self.retryAfter = retryAfter
    self.reason = reason
    isTemporary =
      switch code {
      case .rateLimited, .unavailable, .connectionLost, .timedOut: true
      default: false
      }
  }

  /// The same in milliseconds.
  package var retryAfterMs: Int? {
    guard let (seconds, attoseconds) = retryAfter?.components else { return nil }
    return Int(clamping: min(max(0, seconds), 86_400) * 1000 + attoseconds / 1_000_000_000_000_000)
  }

  public var description: String {
    "\(code)\(message.map { ": \($0)" } ?? "")\(field.map { " (\($0))" } ?? "")"
  }

  /// Takes over an error of the chat.
  package init(_ error: ChatModel.ChatError) {
    self.init(
      Code(rawValue: error.kind.rawValue) ?? .internalError, error.message, field: error.field,
      retryAfter: error.retryAfterMs.map { .milliseconds($0) }, reason: error.reason)
  }

  static func invalid(_ field: String, _ reason: String) -> ChatError { ChatError(.invalidParams, "\(field) \(reason)", field: field) }

  static func configuration(_ field: String, _ sentence: String) -> ChatError {
    ChatError(.invalidConfiguration, sentence, field: field)
  }

  static let destroyed = ChatError(.destroyed, "The chat was destroyed")
  static let notInitialized = ChatError(.notInitialized, "Call initialize() first")
  static let cancelled = ChatError(.requestCancelled, "The task was cancelled; what it asked for may still be done")
  static let unsubscribed = ChatError(.unsubscribed, "The subscription has ended")
  /// The connection ended before the answer came.
  package static let connectionLost = ChatError(.connectionLost, "The connection ended before the answer came")
  /// No answer came.
  package static let timedOut = ChatError(.timedOut, "No answer came in time")
}
