/// Sessions that were opened and that are open, and tokens that opened none.
package struct SessionCounts: Sendable, Equatable {
  /// Who has a session (`docs/opening.md`).
  package enum Kind: Int, Sendable, CaseIterable {
    case user
    case bot
    /// A trusted backend.
    case app
    case guest

    /// The label in metrics and log lines.
    package var label: String {
      switch self {
      case .user: "user"
      case .bot: "bot"
      case .app: "app"
      case .guest: "guest"
      }
    }
  }

  /// Why a token was refused, as coarse as an operator acts on it.
  package enum Refusal: Int, Sendable, CaseIterable {
    /// It is no token, or more than is read.
    case malformed
    /// No key of ours signed it so: a forgery, or a key that was changed on one side only.
    case signature
    /// It is over.
    case expired
    /// It is still to come: a clock that is wrong.
    case notYetValid
    /// Issuer, audience, user, role or type are not as they must be.
    case claims
    /// The user's sessions were revoked after it was issued.
    case session

    /// The label in metrics.
    package var label: String {
      switch self {
      case .malformed: "malformed"
      case .signature: "signature"
      case .expired: "expired"
      case .notYetValid: "not_yet_valid"
      case .claims: "claims"
      case .session: "session"
      }
    }
  }

  private var opened = [UInt64](repeating: 0, count: Kind.allCases.count)
  private var closed = [UInt64](repeating: 0, count: Kind.allCases.count)
  private var refused = [UInt64](repeating: 0, count: Refusal.allCases.count)

  /// Nothing counted yet.
  package init() {}

  /// A session was opened.
  package mutating func open(_ kind: Kind) { opened[kind.rawValue] &+= 1 }

  /// A session that was opened is over.
  package mutating func close(_ kind: Kind) { closed[kind.rawValue] &+= 1 }

  /// A token was refused.
  package mutating func refuse(_ reason: Refusal) { refused[reason.rawValue] &+= 1 }

  /// Sessions opened until now.
  package func opened(_ kind: Kind) -> UInt64 { opened[kind.rawValue] }

  /// Sessions open now.
  package func current(_ kind: Kind) -> UInt64 {
    let (all, gone) = (opened[kind.rawValue], closed[kind.rawValue])
    return all > gone ? all - gone : 0
  }

  /// Tokens refused for a reason.
  package func refused(_ reason: Refusal) -> UInt64 { refused[reason.rawValue] }

  mutating func merge(_ other: SessionCounts) {
    for index in opened.indices {
      opened[index] &+= other.opened[index]
      closed[index] &+= other.closed[index]
    }
    for index in refused.indices { refused[index] &+= other.refused[index] }
  }
}
