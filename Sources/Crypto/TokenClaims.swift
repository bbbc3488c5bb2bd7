/// Whom a token speaks for.
package enum TokenType: String, Sendable, CaseIterable {
  /// A person; the default.
  case user
  /// A program that takes part.
  case bot
  /// A trusted backend, which may act as another user.
  case app
  /// Somebody without an account, from a token of the gateway itself.
  case guest
}

/// What a verified token says.
package struct TokenClaims: Equatable, Sendable {
  /// The user's id (`sub`), not checked against the rule for ids.
  package var user: String
  /// Whom the token speaks for (`tokenType`).
  package var type: TokenType
  /// The role that rules the session; one that exists.
  package var role: String?
  /// The name for the user's record at first sight.
  package var name: String?
  /// The picture for the user's record at first sight.
  package var photoUrl: String?
  /// When the token was made (`iat`), Unix seconds, rounded down.
  package var issuedAt: Int64?
  /// When the token ends (`exp`), Unix seconds, rounded down; the leeway is not in it.
  package var expiresAt: Int64?

  /// Makes claims.
  package init(
    user: String, type: TokenType = .user, role: String? = nil, name: String? = nil, photoUrl: String? = nil, issuedAt: Int64? = nil,
    expiresAt: Int64? = nil
  ) {
    self.user = user
    self.type = type
    self.role = role
    self.name = name
    self.photoUrl = photoUrl
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}
