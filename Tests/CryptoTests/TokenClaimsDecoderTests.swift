import Crypto
import TestSupport
import Testing

@Suite struct TokenClaimsDecoderTests {
  private static let now: Int64 = 1_000_000
  private static let strict = TokenPolicy(issuer: "me", audience: "chat", roles: ["admin"])
  private static let open = TokenPolicy(requiresExpiry: false, reservedPrefixes: ["guest-", "direct."])

  @Test func `claims are checked by name`() throws {
    let long = String(repeating: "x", count: 368)
    let cases: [(claims: String, expected: TokenRefusal?)] = [
      (#"{"sub":"a"}"#, nil), (#"{"sub":"\#(long)"}"#, nil), (#"{"sub":"guest"}"#, nil),
      ("{}", .missingSubject), (#"{"sub":""}"#, .badSubject), (#"{"sub":7}"#, .badSubject), (#"{"sub":null}"#, .badSubject),
      (#"{"sub":"\#(long)x"}"#, .badSubject), (#"{"sub":"direct.x"}"#, .badSubject), (#"{"sub":"guest-1"}"#, .guestSubject),
      (#"{"sub":"guest-"}"#, .guestSubject), (#"{"sub":"guest-\u0301"}"#, .guestSubject),
      (#"{"sub":"\u0067uest-1","tokenType":"app"}"#, .guestSubject),
      (#"{"sub":"a","tokenType":"bot"}"#, nil), (#"{"sub":"a","tokenType":"root"}"#, .unknownTokenType),
      (#"{"sub":"a","tokenType":null}"#, .unknownTokenType),
      (#"{"sub":"a","tokenType":"guest"}"#, .wrongKeyForType), (#"{"sub":"guest-1","tokenType":"guest"}"#, .wrongKeyForType),
      (#"{"sub":"a","role":"admin"}"#, .unknownRole), (#"{"sub":"a","role":7}"#, .badClaim),
      (#"{"sub":"a","role":null,"name":null,"photoUrl":null}"#, nil),
      (#"{"sub":"a","name":7}"#, .badClaim), (#"{"sub":"a","photoUrl":[]}"#, .badClaim),
      (#"{"sub":"a","exp":1000000}"#, nil), (#"{"sub":"a","exp":999970.5}"#, nil), (#"{"sub":"a","exp":999970}"#, .expired),
      (#"{"sub":"a","exp":999970.0}"#, .expired),
      (#"{"sub":"a","exp":-1}"#, .expired), (#"{"sub":"a","exp":-1e300}"#, .expired), (#"{"sub":"a","exp":1e300}"#, nil),
      (#"{"sub":"a","exp":18446744073709551615}"#, nil), (#"{"sub":"a","exp":"999"}"#, .badClaim), (#"{"sub":"a","exp":null}"#, .badClaim),
      (#"{"sub":"a","nbf":1000030}"#, nil), (#"{"sub":"a","nbf":1000030.5}"#, .notYetValid), (#"{"sub":"a","nbf":1e300}"#, .notYetValid),
      (#"{"sub":"a","iat":1000030}"#, nil), (#"{"sub":"a","iat":1000031}"#, .notYetValid), (#"{"sub":"a","iat":true}"#, .badClaim),
      (#"{"sub":"a","iss":"x","aud":["y"]}"#, nil), (#"{"sub":"a","iss":7}"#, .badClaim), (#"{"sub":"a","aud":7}"#, .badClaim),
      (#"{"sub":"a","aud":["y",7]}"#, .badClaim),
      (#"{"sub":"a","sub":"a"}"#, .duplicateMember), (#"{"sub":"a","x":{"y":1,"y":2}}"#, .duplicateMember),
      ("[]", .malformed), ("7", .malformed), (#"{"sub":"a""#, .malformed),
    ]
    for (claims, expected) in cases { expectEqual(try refusal(claims, Self.open), expected, claims) }
  }

  @Test func `issuer, audience, expiry and role are those of the policy`() throws {
    let cases: [(claims: String, expected: TokenRefusal?)] = [
      (#""exp":1000001,"iss":"me","aud":"chat","role":"admin""#, nil), (#""exp":1000001,"iss":"me","aud":["x","chat"]"#, nil),
      (#""iss":"me","aud":"chat""#, .missingExpiry), (#""exp":1000001,"aud":"chat""#, .wrongIssuer),
      (#""exp":1000001,"iss":"you","aud":"chat""#, .wrongIssuer),
      (#""exp":1000001,"iss":"me""#, .wrongAudience), (#""exp":1000001,"iss":"me","aud":[]"#, .wrongAudience),
      (#""exp":1000001,"iss":"me","aud":"chats""#, .wrongAudience),
      (#""exp":1000001,"iss":"me","aud":["x"]"#, .wrongAudience), (#""exp":1000001,"iss":"me","aud":"chat","role":"Admin""#, .unknownRole),
    ]
    for (claims, expected) in cases { expectEqual(try refusal(#"{"sub":"a",\#(claims)}"#, Self.strict), expected, claims) }
  }

  @Test func `the guest key signs guests and nothing else`() throws {
    let cases: [(claims: String, expected: TokenRefusal?)] = [
      // The gateway's own tokens name neither issuer nor audience, and need not end.
      (#"{"sub":"guest-1","tokenType":"guest"}"#, nil), (#"{"sub":"guest-1","tokenType":"guest","exp":1}"#, .expired),
      (#"{"sub":"a","tokenType":"guest"}"#, .badSubject), (#"{"sub":"guest-1"}"#, .wrongKeyForType),
      (#"{"sub":"a","tokenType":"user"}"#, .wrongKeyForType),
      (#"{"sub":"a","tokenType":"app"}"#, .wrongKeyForType), (#"{"sub":"a","tokenType":"bot"}"#, .wrongKeyForType),
    ]
    for (claims, expected) in cases { expectEqual(try refusal(claims, Self.strict, asGuest: true), expected, claims) }
  }

  @Test func `what a token says is given back`() throws {
    let claims =
      #"{"sub":"я","tokenType":"app","role":"admin","name":"A \u0000","#
      + #""photoUrl":"https://x","iat":999.9,"exp":1e300,"iss":"me","aud":"chat","x":1}"#
    let expected = TokenClaims(
      user: "я", type: .app, role: "admin", name: "A \u{0}", photoUrl: "https://x", issuedAt: 999, expiresAt: 9_007_199_254_740)
    expectEqual(try verifier(Self.strict).verify(try key().sign(claims: Array(claims.utf8)), now: Self.now), expected)
  }

  private func refusal(_ claims: String, _ policy: TokenPolicy, asGuest: Bool = false) throws -> TokenRefusal? {
    let token = try (asGuest ? guestKey() : key()).sign(claims: Array(claims.utf8))
    do throws(TokenRefusal) {
      _ = try verifier(policy).verify(token, now: Self.now)
      return nil
    } catch {
      return error
    }
  }

  private func key() throws -> TokenKey { try TokenKey.secret(Array(repeating: 7, count: 32)) }
  private func guestKey() throws -> TokenKey { try TokenKey.secret(Array(repeating: 8, count: 32)) }
  private func verifier(_ policy: TokenPolicy) throws(TokenRefusal) -> TokenVerifier {
    guard let key = try? key(), let guestKey = try? guestKey() else { throw .malformed }
    return TokenVerifier(keys: [key], guestKey: guestKey, policy: policy)
  }
}
