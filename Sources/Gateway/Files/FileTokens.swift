import ChatEngine
import ChatModel
package import Crypto
import GatewayProtocol

/// Makes and checks the tokens of `file.token`: they let their user upload and fetch files for a quarter of an hour, and nothing else.
///
/// Their keys are drawn from the store's own, so that no such token opens a session and no token of a session is one of these.
package struct FileTokens: Sendable {
  private let userKey: TokenKey
  private let guestKey: TokenKey

  /// How long a token is good, seconds: a page asks for a new one before it is over.
  static let lifetimeSeconds: Int64 = 900

  /// Draws the keys from the store's key for guests.
  package init(storeKey: [UInt8]) throws(TokenKeyError) {
    userKey = try .secret(SHA256.digest(storeKey + Array("files of users".utf8)))
    guestKey = try .secret(SHA256.digest(storeKey + Array("files of guests".utf8)))
  }

  /// A token for whoever has an open session; its end is that of the session where that comes first.
  func token(of session: SessionMachine.Open, now: Int64) -> FileToken? {
    let caller = session.caller
    let end = min(now &+ Self.lifetimeSeconds, session.expiresAt ?? .max)
    let type: TokenType = caller.user.isGuest ? .guest : caller.kind == .app ? .app : .user
    let claims = TokenClaims(
      user: caller.user.text, type: type, role: session.isRoleOfToken ? session.role : nil, issuedAt: now, expiresAt: end)
    do throws(TokenKeyError) {
      let signer = try TokenSigner(key: type == .guest ? guestKey : userKey)
      return FileToken(text: try signer.sign(claims), expiresAt: end &* 1000)
    } catch { return nil }
  }

  /// Checks a token.
  func verify(_ token: String, roles: Set<String>, now: Int64) -> Result<TokenClaims, TokenProblem> {
    let policy = TokenPolicy(leewaySeconds: 0, roles: roles)
    let verifier = TokenVerifier(keys: [userKey], guestKey: guestKey, policy: policy)
    do throws(TokenRefusal) { return .success(try verifier.verify(token, now: now)) } catch { return .failure(TokenProblem(error)) }
  }
}
