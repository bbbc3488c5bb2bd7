import ChatModel
import Crypto
import HTTPProtocol

/// Who asks for a file or brings one.
struct FileCaller: Hashable, Sendable {
  let user: UserID
  /// Whether it is a trusted backend, which may use every file.
  let isApplication: Bool
  /// The role that the token gives; nil: the user's own.
  let role: String?
  /// Unix seconds.
  let issuedAt: Int64?

  init(_ claims: TokenClaims) {
    user = UserID(stored: claims.user)
    isApplication = claims.type == .app
    role = claims.role
    issuedAt = claims.issuedAt
  }

  /// Whether the user's sessions were revoked after the token was issued, as for sessions.
  func isRevoked(_ record: UserRecord?) -> Bool { record?.revokedAt.map { (issuedAt ?? $0) <= $0 } ?? false }

  /// Whether the caller may send files.
  func maySend(_ record: UserRecord?, _ settings: ReloadableSettings) -> Bool {
    isApplication || settings.permissions(of: role ?? record?.role ?? UserRecord.defaultRole).files
  }
}

/// The token in a request for files, and where it stands.
enum FileCredential: Equatable {
  case none
  /// In `Authorization: Bearer`: of a session, or of `file.token`.
  case header(String)
  /// In the address: of `file.token` only, as addresses end up in the logs of proxies.
  case query(String)
  case refused(HTTPResponse)

  /// Looks for a token.
  init(_ request: RequestHead, _ query: QueryItems) {
    let fields = request.values(of: "authorization")
    let inQuery = query["access"]
    guard fields.count + (inQuery == nil ? 0 : 1) <= 1 else {
      self = .refused(.text(400, "There must be one token"))
      return
    }
    if let field = fields.first {
      self =
        UpgradeToken.bearer(field).map { .header($0) }
        ?? .refused(.text(401, "Authorization must be Bearer and a token", fields: [.bearerChallenge]))
    } else {
      self = inQuery.map { .query($0) } ?? .none
    }
  }
}
