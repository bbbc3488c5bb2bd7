import Crypto
import GatewayProtocol
import HTTPProtocol
import WebSocketProtocol

/// What becomes of a request to `/ws`, as far as the request alone tells: method, handshake, host, origin, and where a token stands.
enum UpgradeDecision: Equatable {
  /// Answer with an error.
  case refuse(HTTPResponse)
  /// Upgrade; the client opens a session by a call.
  case letIn(ServerHandshake.Acceptance)
  /// Check the token, then answer.
  case authenticate(token: String, UpgradeEntry)

  /// What holds for every upgrade.
  struct Policy: Equatable {
    var origins: OriginPolicy
    /// Whether a token may stand in the query.
    var allowsQueryToken: Bool
    /// Whether the gateway stops.
    var isDraining: Bool
    /// What is granted to clients that offer compression; nil: nothing.
    var compression: DeflatePolicy?
  }

  /// Decides on a request.
  ///
  /// The handshake is looked at before the origin, so that whoever is no WebSocket client hears that, and the token is looked at last.
  init(_ request: RequestHead, by route: RequestRoute, _ policy: Policy) {
    switch ServerHandshake.accept(request, supported: [Hello.protocolName], compression: policy.compression, sha1: SHA1.digest) {
    case .refuse(let violation): self = .refuse(.text(violation.status, violation.sentence, fields: violation.fields))
    case .accept(let acceptance):
      if let refusal = policy.origins.refusal(of: request, by: route) {
        self = .refuse(refusal)
      } else if policy.isDraining {
        self = .refuse(.restarting)
      } else {
        self = Self.admission(of: request, acceptance, policy)
      }
    }
  }

  private static func admission(
    of request: RequestHead, _ acceptance: ServerHandshake.Acceptance, _ policy: Policy
  ) -> UpgradeDecision {
    switch UpgradeToken(request, offered: acceptance.offeredSubprotocols, allowsQuery: policy.allowsQueryToken) {
    case .none: .letIn(acceptance)
    case .refused(let response): .refuse(response)
    case .header(let token), .query(let token): .authenticate(token: token, .header(acceptance))
    case .subprotocol(let token): .authenticate(token: token, .subprotocol(acceptance))
    }
  }
}

/// How a client authenticates in its upgrade.
enum UpgradeEntry: Equatable {
  /// `Authorization: Bearer`, or the query: a token that is refused gets 401.
  case header(ServerHandshake.Acceptance)
  /// `bearer.<jwt>` among the sub-protocols: a token that is refused gets 101 and the close code 4002.
  case subprotocol(ServerHandshake.Acceptance)
  /// The token among the sub-protocols is bad: the upgrade is answered, then closed, as a browser's script sees no status.
  case badToken
}
