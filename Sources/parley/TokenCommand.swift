import ChatModel
import Configuration
import Crypto
import Glibc

/// `parley token`: a token signed with the configured secret.
enum TokenCommand {
  static func run(_ request: TokenRequest) -> ExitCode {
    do throws(StartFailure) { return StandardStreams.result(try token(request)) } catch {
      StandardStreams.error(error.sentence)
      return .failure
    }
  }

  private static func token(_ request: TokenRequest) throws(StartFailure) -> String {
    let settings: Settings
    switch Surroundings.settings(file: request.config, rules: StartRule.signingTokens) {
    case .success(let read): settings = read
    case .failure(let problems): throw StartFailure(problems.description)
    }
    do throws(IdentifierViolation) { try Identifier.check(request.user) } catch { throw StartFailure("--user \(error.sentence)") }
    guard !request.user.hasPrefix(UserID.guestPrefix) else {
      throw StartFailure("--user must not begin with \(UserID.guestPrefix): the gateway makes such ids and signs their tokens itself")
    }
    if let role = request.role, settings.roles[role] == nil {
      throw StartFailure("--role \(role) is not configured; the roles are \(settings.roles.keys.sorted().joined(separator: ", "))")
    }
    guard let secret = settings.auth.secret else { throw StartFailure("auth.secret is not set") }
    let now = Int64(time(nil))
    let claims = TokenClaims(
      user: request.user, type: kind(request.kind), role: request.role, name: request.name, issuedAt: now,
      expiresAt: now &+ Int64(request.lifetime))
    do throws(TokenKeyError) {
      let key = try TokenKey.secret(Array(secret.utf8))
      return try TokenSigner(key: key, issuer: settings.auth.issuer, audience: settings.auth.audience).sign(claims)
    } catch { throw StartFailure(error.sentence) }
  }

  private static func kind(_ kind: TokenRequest.Kind) -> TokenType {
    switch kind {
    case .user: .user
    case .bot: .bot
    case .app: .app
    }
  }
}
