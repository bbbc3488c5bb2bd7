/// The request line and the header fields of a request.
package struct RequestHead: Equatable, Sendable, HasHeaderFields {
  /// How the body is framed (RFC 9112 §6.3).
  package enum Body: Equatable, Sendable {
    /// No bytes follow the head.
    case none
    /// This many bytes, above zero.
    case length(Int)
    /// Chunks follow, up to an empty one (RFC 9112 §7.1).
    case chunked
  }

  /// The method as sent: methods are case-sensitive (RFC 9110 §9.1).
  package let method: String
  /// The target as sent.
  package let target: String
  /// The path of the target, neither decoded nor normalised; `*` for the asterisk form.
  package let path: String
  /// What follows the first `?` of the target, or `nil`.
  package let query: String?
  /// The host and port that the client asks: of an absolute target, else of `Host` (RFC 9112 §3.2.2); empty in HTTP/1.0 without it.
  package let host: String
  /// The version, major 1.
  package let version: HTTPVersion
  /// The fields in the order in which they came.
  package let fields: [HeaderField]
  /// The body that follows.
  package let body: Body

  /// Makes a head from its parts, unchecked.
  package init(
    method: String = "GET", target: String, path: String? = nil, query: String? = nil, host: String, version: HTTPVersion = .http11,
    fields: [HeaderField] = [], body: Body = .none
  ) {
    self.method = method
    self.target = target
    self.path = path ?? target
    self.query = query
    self.host = host
    self.version = version
    self.fields = fields
    self.body = body
  }

  /// Whether a body follows.
  package var expectsBody: Bool { body != .none }

  /// The length of the body where it was announced as a number: 0 without a body, `nil` for a chunked one.
  package var contentLength: Int? {
    switch body {
    case .none: 0
    case .length(let count): count
    case .chunked: nil
    }
  }

  /// Whether the client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
  package var expectsContinue: Bool { version.minor >= 1 && expectsBody && hasToken("expect", "100-continue") }

  /// Whether the connection stays open behind the answer (RFC 9112 §9.3).
  ///
  /// HTTP/1.0 always closes: its keep-alive is an extension that nobody needs here.
  package var keepsAlive: Bool { version.minor >= 1 && !hasToken("connection", "close") }

  /// Whether the client asks to change to WebSocket (RFC 6455 §4.1).
  package var wantsWebSocket: Bool { hasToken("upgrade", "websocket") }
}
