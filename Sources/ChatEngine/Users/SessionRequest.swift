package import ChatModel

/// A session that wants to open: its token was verified, its user not yet looked at.
package struct SessionRequest: Hashable, Sendable {
  package var user: UserID
  package var kind: Caller.Kind
  /// The role that the token gives the session; the user's own where it gives none.
  package var role: String?
  /// The session's name on the wire.
  package var session: String
  /// Fills the user's record on first sight.
  package var name: String?
  /// Fills the user's record on first sight.
  package var photoUrl: String?
  /// When the token was issued, seconds since the epoch; nil when it does not say, `withoutToken` where there is none.
  package var issuedAt: Int64?
  /// When the session ends, seconds since the epoch; nil when it does not.
  package var expiresAt: Int64?

  /// For a guest who comes without a token: what was revoked were the sessions until now, and a second that both share says
  /// nothing of which was first.
  package static let withoutToken = Int64.max

  package init(
    user: UserID, kind: Caller.Kind, role: String? = nil, session: String, name: String? = nil, photoUrl: String? = nil,
    issuedAt: Int64? = nil,
    expiresAt: Int64? = nil
  ) {
    self.user = user
    self.kind = kind
    self.role = role
    self.session = session
    self.name = name
    self.photoUrl = photoUrl
    self.issuedAt = issuedAt
    self.expiresAt = expiresAt
  }
}
