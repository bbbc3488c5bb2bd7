import ChatModel
import Crypto
import GatewayProtocol
import TestSupport
import Testing

@testable import Gateway

@Suite struct FileTokensTests {
  private static func open(
    _ user: String, _ kind: Caller.Kind = .user, role: String? = nil, expiresAt: Int64? = nil
  ) -> SessionMachine.Open {
    SessionMachine.Open(
      caller: Caller(user: UserID(stored: user), kind: kind, permissions: Permissions()), session: "s", role: role ?? "default",
      isRoleOfToken: role != nil, expiresAt: expiresAt, isProvisional: false)
  }

  @Test func `a token says who has the session, for a quarter of an hour at most`() throws {
    let storeKey = Array(repeating: UInt8(7), count: 32)
    let tokens = try FileTokens(storeKey: storeKey)
    let rows: [(SessionMachine.Open, TokenType, Int64)] = [
      (Self.open("ann"), .user, 1_900), (Self.open("ann", role: "reader"), .user, 1_900), (Self.open("app", .app), .app, 1_900),
      (Self.open("guest-1", .guest), .guest, 1_900), (Self.open("named", .guest), .user, 1_900),
      (Self.open("ann", expiresAt: 1_100), .user, 1_100),
    ]
    for (session, type, end) in rows {
      let name = "\(session.caller.user) \(session.role)"
      let token = try #require(tokens.token(of: session, now: 1_000))
      expectEqual(token.expiresAt, end * 1_000, name)
      let claims = try tokens.verify(token.text, roles: ["reader"], now: 1_000).get()
      expectEqual(claims.user, session.caller.user.text, name)
      expectEqual(claims.type, type, name)
      expectEqual(claims.role, session.isRoleOfToken ? session.role : nil, name)
      let caller = FileCaller(claims)
      expectEqual(caller.isApplication, type == .app, name)
      expect((try? tokens.verify(token.text, roles: ["reader"], now: end).get()) == nil, "\(name), over")
      // It opens no session, and a token of a session is none for files.
      let session = TokenVerifier(
        keys: [try .secret(storeKey)], guestKey: try .secret(storeKey), policy: TokenPolicy(roles: ["reader"]))
      expect((try? session.verify(token.text, now: 1_000)) == nil, "\(name), as a session's")
    }
    let foreign = try TokenSigner(key: .secret(storeKey)).sign(TokenClaims(user: "ann", issuedAt: 1_000, expiresAt: 2_000))
    expect((try? tokens.verify(foreign, roles: [], now: 1_000).get()) == nil, "a session's token")
    expect((try? tokens.verify("nonsense", roles: [], now: 1_000).get()) == nil, "nonsense")
  }

  @Test func `a caller may send files by their role, and none when they were revoked`() {
    var record = UserRecord(id: UserID(stored: "ann"), name: "Ann", createdAt: 0)
    var mute = Permissions()
    mute.files = false
    let settings = ReloadableSettings(
      verifier: TokenVerifier(keys: [], guestKey: nil, policy: TokenPolicy()), guests: .refused, guestsMustBeDirect: true,
      roles: ["default": Permissions(), "mute": mute], origins: [])
    func caller(_ role: String? = nil, type: TokenType = .user, at issuedAt: Int64? = 5) -> FileCaller {
      FileCaller(TokenClaims(user: "ann", type: type, role: role, issuedAt: issuedAt))
    }
    expect(caller().maySend(nil, settings) && caller().maySend(record, settings), "by default")
    expect(!caller("mute").maySend(record, settings) && caller("mute", type: .app).maySend(record, settings), "by the token's role")
    record.role = "mute"
    expect(!caller().maySend(record, settings) && caller("default").maySend(record, settings), "by the user's role")
    expect(!caller().isRevoked(nil) && !caller().isRevoked(record), "not revoked")
    record.revokedAt = 5
    expect(caller().isRevoked(record) && caller(at: nil).isRevoked(record) && !caller(at: 6).isRevoked(record), "revoked")
  }
}
