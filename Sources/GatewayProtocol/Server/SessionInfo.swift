package import ChatModel

/// What an opened session is, as `session.open` and `hello` tell it.
package struct SessionInfo: Hashable, Sendable {
  /// The session's id.
  package let session: String
  package let user: UserSnapshot
  /// The name of the role that rules the session.
  package let role: String
  /// When the token expires; nil where it does not.
  package let expiresAt: Timestamp?
  /// A token that brings a guest back as the same user; nil for everybody else.
  package let token: String?

  /// Describes a session.
  package init(session: String, user: UserSnapshot, role: String, expiresAt: Timestamp?, token: String? = nil) {
    self.session = session
    self.user = user
    self.role = role
    self.expiresAt = expiresAt
    self.token = token
  }
}

/// A session in the answer of `session.list`.
package struct SessionSummary: Hashable, Sendable {
  /// The session's id.
  package let session: String
  /// What kind of token opened it.
  package let kind: Caller.Kind
  package let role: String
  package let openedAt: Timestamp
  /// When the token expires; nil where it does not.
  package let expiresAt: Timestamp?
  /// Whether it is the session that asks.
  package let isCurrent: Bool

  /// Describes a session.
  package init(session: String, kind: Caller.Kind, role: String, openedAt: Timestamp, expiresAt: Timestamp?, isCurrent: Bool) {
    self.session = session
    self.kind = kind
    self.role = role
    self.openedAt = openedAt
    self.expiresAt = expiresAt
    self.isCurrent = isCurrent
  }
}
