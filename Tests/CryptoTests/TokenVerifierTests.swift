import Crypto
import TestSupport
import Testing

@Suite struct TokenVerifierTests {
  private static let now: Int64 = 1_800_000_000

  @Test func `tokens of real RSA and EC keys are taken`() throws {
    let verifier = try Self.verifier(TokenFixtures.rsaPEM, TokenFixtures.ecPEM)
    let anna = TokenClaims(user: "anna", issuedAt: 1_700_000_000, expiresAt: 4_102_444_800)
    for token in [TokenFixtures.rs256, TokenFixtures.es256, TokenFixtures.rs256Named, TokenFixtures.es256Named] {
      expectEqual(outcome(verifier, token), .success(anna), token)
      let other = try Self.verifier(TokenFixtures.otherRSAPEM, TokenFixtures.otherECPEM)
      expectEqual(outcome(other, token), .failure(.badSignature), "wrong key: \(token)")
      // Behind the wrong keys the right one is found.
      let both = try Self.verifier(TokenFixtures.otherRSAPEM, TokenFixtures.otherECPEM, TokenFixtures.ecPEM, TokenFixtures.rsaPEM)
      expectEqual(outcome(both, token), .success(anna), "several keys: \(token)")
    }
    let ec = try Self.verifier(TokenFixtures.ecPEM)
    expectEqual(outcome(ec, TokenFixtures.rs256), .failure(.algorithmNotAllowed), "no RSA key is configured")
  }

  @Test func `a token that was changed is refused`() throws {
    let verifier = try Self.verifier(TokenFixtures.rsaPEM, TokenFixtures.ecPEM)
    for token in [TokenFixtures.rs256, TokenFixtures.es256] {
      let parts = token.split(separator: ".").map(String.init)
      let payload = Base64URL.encode(Array(TokenFixtures.claims.replacing("anna", with: "root").utf8))
      expectEqual(outcome(verifier, [parts[0], payload, parts[2]].joined(separator: ".")), .failure(.badSignature), "payload")
      expectEqual(outcome(verifier, "\(parts[0]).\(parts[1])."), .failure(.badSignature), "no signature")
      var signature = try #require(Base64URL.decode(parts[2].utf8))
      signature[0] ^= 1
      expectEqual(outcome(verifier, "\(parts[0]).\(parts[1]).\(Base64URL.encode(signature))"), .failure(.badSignature), "one bit")
      signature[0] ^= 1
      // With a zero before each half the numbers of an ES256 signature are the same.
      let padded = [0] + signature.prefix(32) + [0] + signature.dropFirst(32)
      expectEqual(outcome(verifier, "\(parts[0]).\(parts[1]).\(Base64URL.encode(padded))"), .failure(.badSignature), "longer")
      expectEqual(outcome(verifier, token + "="), .failure(.malformed), "padding")
      expectEqual(outcome(verifier, token + "\n"), .failure(.malformed), "line end")
      expectEqual(outcome(verifier, " " + token), .failure(.malformed), "space")
      expectEqual(outcome(verifier, token + "."), .failure(.malformed), "four parts")
      expectEqual(outcome(verifier, token + String(repeating: "A", count: 8192)), .failure(.tooLong), "long")
    }
  }

  @Test func `the header never chooses`() throws {
    let claims = #"{"sub":"anna","exp":4102444800}"#
    let secret = try TokenKey.secret(Array(repeating: 7, count: 32), kid: "k")
    let verifier = TokenVerifier(keys: [secret], guestKey: nil, policy: TokenPolicy())
    let good = try secret.sign(claims: Array(claims.utf8))
    expectEqual(outcome(verifier, good), .success(TokenClaims(user: "anna", expiresAt: 4_102_444_800)), "the base of the cases")
    let signature = String(good.split(separator: ".")[2])
    let cases: [(header: String, expected: TokenRefusal)] = [
      (#"{"alg":"none"}"#, .algorithmNotAllowed), (#"{"alg":"None"}"#, .algorithmNotAllowed), (#"{"alg":"hs256"}"#, .algorithmNotAllowed),
      (#"{"alg":"HS512"}"#, .algorithmNotAllowed), (#"{"alg":"RS256"}"#, .algorithmNotAllowed), (#"{"alg":"ES256"}"#, .algorithmNotAllowed),
      (#"{"alg":""}"#, .algorithmNotAllowed), (#"{"alg":"HS256\u0000"}"#, .algorithmNotAllowed), (#"{"alg":1}"#, .malformed),
      (#"{"typ":"JWT"}"#, .malformed),
      (#"{"alg":"HS256","alg":"HS256"}"#, .duplicateMember), (#"{"alg":"none","\u0061lg":"HS256"}"#, .duplicateMember),
      (#"{"alg":"HS256","crit":["exp"]}"#, .criticalHeader), (#"{"alg":"HS256","crit":null}"#, .criticalHeader),
      (#"{"alg":"HS256","kid":1}"#, .malformed), (#"{"alg":"HS256","kid":"other"}"#, .unknownKey),
      (#"{"alg":"HS256","kid":"k"}"#, .badSignature),
      (#"{"alg":"HS256"}"#, .badSignature), (#"{"alg":"HS256"} x"#, .malformed), ("[]", .malformed), ("", .malformed), ("{", .malformed),
    ]
    let payload = Base64URL.encode(Array(claims.utf8))
    for (header, expected) in cases {
      let head = Base64URL.encode(Array(header.utf8))
      expectEqual(outcome(verifier, "\(head).\(payload).\(signature)"), .failure(expected), header)
    }
    expectEqual(
      outcome(verifier, "\(Base64URL.encode(Array(#"{"alg":"none"}"#.utf8))).\(payload)."), .failure(.algorithmNotAllowed), "bare none")
    for token in ["", ".", "..", "a.b", "é.é.é", "AA.AA.AA"] { expectEqual(outcome(verifier, token), .failure(.malformed), token) }
  }

  @Test func `a token signed with a public key as its secret is refused`() throws {
    for pem in [TokenFixtures.rsaPEM, TokenFixtures.ecPEM] {
      for text in [pem, pem + "\n"] {
        let forged = try TokenKey.secret(Array(text.utf8)).sign(claims: Array(TokenFixtures.claims.utf8))
        expectEqual(outcome(try Self.verifier(pem), forged), .failure(.algorithmNotAllowed), "only public keys are configured")
        let secret = try TokenKey.secret(Array(repeating: 7, count: 32))
        let mixed = TokenVerifier(keys: [try TokenKey.pem(pem), secret], guestKey: secret, policy: TokenPolicy())
        expectEqual(outcome(mixed, forged), .failure(.badSignature), "a secret is configured too")
      }
    }
  }

  @Test func `a kid selects among the keys of its algorithm`() throws {
    let claims = Array(#"{"sub":"anna","exp":4102444800}"#.utf8)
    let key = { (byte: UInt8, kid: String?) in try TokenKey.secret(Array(repeating: byte, count: 32), kid: kid) }
    let verifier = TokenVerifier(keys: [try key(1, "a"), try key(2, "b"), try key(3, nil)], guestKey: nil, policy: TokenPolicy())
    let cases: [(byte: UInt8, kid: String?, expected: TokenRefusal?)] = [
      (1, "a", nil), (2, "b", nil), (1, nil, nil), (2, nil, nil), (3, nil, nil), (3, "x", nil), (1, "b", .badSignature),
      (1, "x", .badSignature),
    ]
    for (byte, kid, expected) in cases {
      let token = try key(byte, kid).sign(claims: claims)
      expectEqual(
        outcome(verifier, token), expected.map { .failure($0) } ?? .success(TokenClaims(user: "anna", expiresAt: 4_102_444_800)),
        "\(byte) \(kid ?? "none")")
    }
  }

  private static func verifier(_ pems: String...) throws -> TokenVerifier {
    TokenVerifier(keys: try pems.map { try TokenKey.pem($0) }, guestKey: nil, policy: TokenPolicy())
  }

  private func outcome(_ verifier: TokenVerifier, _ token: String) -> Result<TokenClaims, TokenRefusal> {
    do throws(TokenRefusal) {
      return .success(try verifier.verify(token, now: Self.now))
    } catch {
      return .failure(error)
    }
  }
}
