import Crypto
import TestSupport
import Testing

@Suite struct TokenSignerTests {
  @Test func `what is signed is verified`() throws {
    let key = try TokenKey.secret(SecureRandom.bytes(32))
    let guestKey = try TokenKey.secret(SecureRandom.bytes(32))
    let policy = TokenPolicy(issuer: "me", audience: "chat", roles: ["admin"])
    let verifier = TokenVerifier(keys: [key], guestKey: guestKey, policy: policy)
    let signer = try TokenSigner(key: key, issuer: "me", audience: "chat")
    let guests = try TokenSigner(key: guestKey)
    let full = TokenClaims(
      user: "anna \"é😀\u{1}", type: .bot, role: "admin", name: "Anna", photoUrl: "https://x/y", issuedAt: 900, expiresAt: 2000)
    let guest = TokenClaims(user: "guest-1", type: .guest, issuedAt: 900)
    expectEqual(try verifier.verify(try signer.sign(full), now: 1000), full)
    expectEqual(try verifier.verify(try guests.sign(guest), now: 1000), guest)
    #expect(throws: TokenRefusal.badSignature) {
      try verifier.verify(try TokenSigner(key: .secret(SecureRandom.bytes(32))).sign(full), now: 1000)
    }
    #expect(throws: TokenRefusal.wrongKeyForType) { try verifier.verify(try guests.sign(full), now: 1000) }
    #expect(throws: TokenRefusal.wrongKeyForType) {
      try verifier.verify(try signer.sign(TokenClaims(user: "guest-1", type: .guest, expiresAt: 2000)), now: 1000)
    }
    #expect(throws: TokenKeyError.cannotSign) { try TokenSigner(key: .pem(TokenFixtures.rsaPEM)) }
  }
}
