/// Who makes a call, and with what rights.
package struct Caller: Hashable, Sendable {
  package let user: UserID
  /// What kind of token opened the session.
  package let kind: Kind
  /// What the session's role permits.
  package let permissions: Permissions
  /// Whether a backend named the user (`actAs`): it speaks for them then and not for itself.
  package let isActing: Bool
  /// The users whose messages, typing and mentions the session does not see.
  package var muted: Set<UserID>

  /// The kinds of session.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case user
    case bot
    /// A trusted backend.
    case app
    case guest
  }

  package init(user: UserID, kind: Kind, permissions: Permissions, isActing: Bool = false, muted: Set<UserID> = []) {
    self.user = user
    self.kind = kind
    self.permissions = permissions
    self.isActing = isActing
    self.muted = muted
  }

  /// Whether it is a trusted backend that speaks for itself: it may do what participants may, without being one.
  package var isApplication: Bool { kind == .app && !isActing }

  /// The origin of messages that the session sends.
  package var origin: MessageOrigin {
    switch kind {
    case .user, .guest: .web
    case .bot: .bot
    case .app: .rest
    }
  }
}

/// What a role permits (`config/parley.json5`, `roles`).
package struct Permissions: Hashable, Sendable {
  /// On whose messages an action is allowed.
  package enum Scope: String, Hashable, Sendable, CaseIterable {
    case none
    case own
    case all
  }

  package var send: Scope = .all
  package var react: Scope = .all
  package var reply: Scope = .all
  package var edit: Scope = .own
  package var delete: Scope = .own
  package var files = true
  package var locations = true
  package var links = false
  package var moderate = false
  package var manageUsers = false
  package var manageConversations = false

  /// Makes the permissions of the role `default`.
  package init() {}
}
